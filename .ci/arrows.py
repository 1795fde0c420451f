"""Which folders of a module use which, from the index that the compiler keeps of a debug build."""

import collections
import ctypes
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = 2  # a unit's dependency that holds the symbols of a file
DECLARED, REFERRED = 0b11, 0b100  # roles


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Handle(ctypes.c_void_p):
    """A pointer that is passed on and not looked into."""


class Index:
    """The functions of libIndexStore, which comes with the toolchain."""

    def __init__(self, store):
        libraries = pathlib.Path(shutil.which("swift")).resolve().parent.parent / "lib"
        self.library = ctypes.CDLL(str(next(libraries.glob("libIndexStore.*"))))
        self.store = self.call("store_create", Handle, str(store).encode(), None)
        if not self.store:
            sys.exit("error: there is no index; build first: .ci/checked swift build --build-tests")

    def call(self, name, returned, *given):
        function = getattr(self.library, f"indexstore_{name}")
        function.restype = returned
        return function(*given)

    def each(self, name, kind, read, of, *given):
        """What `read` makes of each thing that an `apply` function gives, which is there only for so long."""
        found = []
        take = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, kind)
        self.call(f"{name}_apply_f", ctypes.c_bool, of, *given, None, take(lambda _, one: found.append(read(one)) or True))
        return found

    def text(self, name, of):
        return str(self.call(name, Text, of))

    def files(self):
        """Each Swift file of Sources that is there, with the name of its record."""

        def part(dependency):
            dependency = Handle(dependency)
            kind = self.call("unit_dependency_get_kind", ctypes.c_int, dependency)
            return kind, *(self.text(f"unit_dependency_get_{what}", dependency) for what in ("filepath", "name"))

        for unit in self.each("store_units", Text, str, self.store, ctypes.c_uint(0)):
            reader = self.call("unit_reader_create", Handle, self.store, unit.encode(), None)
            file = pathlib.Path(self.text("unit_reader_get_main_file", reader))
            if file.suffix == ".swift" and file.is_relative_to(ROOT / "Sources") and file.is_file():
                for kind, path, name in self.each("unit_reader_dependencies", ctypes.c_void_p, part, reader):
                    if kind == RECORD and path == str(file):
                        yield file.relative_to(ROOT / "Sources"), name
            self.call("unit_reader_dispose", None, reader)

    def symbols(self, record):
        """What stands in a file: the roles, the unique name and the readable one of each symbol."""

        def symbol(place):
            place = Handle(place)
            symbol = self.call("occurrence_get_symbol", Handle, place)
            roles = self.call("occurrence_get_roles", ctypes.c_uint64, place)
            return roles, self.text("symbol_get_usr", symbol), self.text("symbol_get_name", symbol)

        reader = self.call("record_reader_create", Handle, self.store, record.encode(), None)
        yield from self.each("record_reader_occurrences", ctypes.c_void_p, symbol, reader)
        self.call("record_reader_dispose", None, reader)


def arrows(store=ROOT / ".build/debug/index/store"):
    """By module, folder and folder used: the files, each with the names that it uses."""
    index = Index(store)
    declared, referred = {}, collections.defaultdict(set)
    for file, record in index.files():
        for roles, usr, name in index.symbols(record):
            if roles & DECLARED:
                declared[usr] = file
            elif roles & REFERRED:
                referred[file].add((usr, name))
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for file, symbols in referred.items():
        for usr, name in symbols:
            target = declared.get(usr)
            if target and target.parts[0] == file.parts[0] and folder(target) != folder(file):
                found[file.parts[0], folder(file), folder(target)][file].add(name)
    return found


def folder(file):
    """The folder inside the module; what lies beside the folders is of none."""
    return file.parts[1] if len(file.parts) > 2 else "."
