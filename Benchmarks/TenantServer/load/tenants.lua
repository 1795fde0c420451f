-- Sends requests of many users at random over kept-alive connections, and checks every answer.
--
-- Each request has a marker, <thread>.<number>-<user>, which the server hands through apart from any identity and sends
-- back. An answer is right if its marker was asked for and is still open, and if every place of work that the answer
-- names saw the marker's user. wrk gives each thread a Lua state of its own, so each counts for itself.
--
-- Arguments: the file of tokens, the seed, and the routes, separated by commas ("" for all).

local all_routes = {
  { name = "account", method = "GET", path = "/account", places = 4 },
  { name = "report", method = "GET", path = "/report", places = 2 },
  { name = "pipeline", method = "GET", path = "/pipeline", places = 3 },
  { name = "cache", method = "GET", path = "/cache", places = 2 },
  { name = "background", method = "POST", path = "/background", status = 202, places = 1 },
  { name = "jobs", method = "POST", path = "/jobs", status = 202, places = 1 },
  { name = "ledger", method = "POST", path = "/ledger", places = 3 },
  { name = "events", method = "GET", path = "/events?count=3", places = 4 },
  { name = "upload", method = "PUT", path = "/files/load.txt", status = 201, places = 2, uploads = true },
  { name = "download", method = "GET", path = "/files/load.txt", places = 2000, downloads = true, missing = 404 },
}

local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("id", #threads)
end

function init(arguments)
  users, open, number = {}, {}, 0
  checked, sightings, wrong, lost, failed, unasked, missing, examples = 0, 0, 0, 0, 0, 0, 0, ""
  for line in io.lines(arguments[1]) do
    local user, token = line:match("^([^\t]+)\t(.+)$")
    table.insert(users, { name = user, authorization = "Bearer " .. token, upload = (user .. "\n"):rep(2000) })
  end
  math.randomseed(tonumber(arguments[2]) * 1000 + id)
  routes, counts = {}, {}
  for _, route in ipairs(all_routes) do
    local wanted = "," .. (arguments[3] or "") .. ","
    if wanted == ",," or wanted:find("," .. route.name .. ",", 1, true) then
      table.insert(routes, route)
      counts[route.name] = 0
    end
  end
end

function request()
  number = number + 1
  local user, route = users[math.random(#users)], routes[math.random(#routes)]
  local marker = id .. "." .. number .. "-" .. user.name
  open[marker] = route
  local headers = { Authorization = user.authorization, ["X-Marker"] = marker }
  return wrk.format(route.method, route.path, headers, route.uploads and user.upload or nil)
end

local function complain(kind, status, marker, body)
  if #examples < 2000 then
    examples = examples .. kind .. ": " .. status .. " for " .. tostring(marker) .. ": " .. body:sub(1, 300):gsub("\n", " ") .. "\n"
  end
end

function response(status, headers, body)
  checked = checked + 1
  local marker = headers["X-Marker"]
  local route = marker and open[marker]
  if not route then
    unasked = unasked + 1
    return complain("not asked for", status, marker, body)
  end
  open[marker] = nil
  counts[route.name] = counts[route.name] + 1
  local user = marker:match("-(.*)$")
  if route.missing == status then
    missing = missing + 1
    return
  end
  if status ~= (route.status or 200) then
    failed = failed + 1
    return complain("failed", status, marker, body)
  end
  -- A file's lines name its owner, and count as one place; all else says it of each place.
  local seen, lines = 0, 0
  for name in body:gmatch(route.downloads and "([^\n]*)\n" or '"as":"([^"]*)"') do
    lines = lines + 1
    if not route.downloads or lines == 1 or name ~= user then
      seen = seen + 1
      if name == "no one" then
        lost = lost + 1
        complain("lost", status, marker, body)
      elseif name ~= user then
        wrong = wrong + 1
        complain("another user's", status, marker, body)
      end
    end
    if route.downloads and name ~= user then break end
  end
  for echoed in body:gmatch('"marker":"([^"]*)"') do
    if echoed ~= marker then
      unasked = unasked + 1
      complain("another request's", status, marker, body)
    end
  end
  sightings = sightings + seen
  if lines < route.places then
    failed = failed + 1
    complain("incomplete", status, marker, body)
  end
end

function done(summary, latency, requests)
  local total = { checked = 0, sightings = 0, wrong = 0, lost = 0, failed = 0, unasked = 0, missing = 0 }
  local counts, examples = {}, ""
  for _, thread in ipairs(threads) do
    for key in pairs(total) do total[key] = total[key] + thread:get(key) end
    for name, count in pairs(thread:get("counts")) do counts[name] = (counts[name] or 0) + count end
    examples = examples .. thread:get("examples")
  end
  local parts = {}
  for key, value in pairs(total) do table.insert(parts, ('"%s":%d'):format(key, value)) end
  for name, count in pairs(counts) do table.insert(parts, ('"route %s":%d'):format(name, count)) end
  local errors = summary.errors
  table.insert(parts, ('"requests":%d,"seconds":%.6f'):format(summary.requests, summary.duration / 1e6))
  table.insert(parts, ('"p50":%d,"p99":%d'):format(latency:percentile(50), latency:percentile(99)))
  table.insert(parts, ('"broken":%d'):format(errors.connect + errors.read + errors.write + errors.timeout))
  io.write("EXAMPLES\n", examples, "RESULT {", table.concat(parts, ","), "}\n")
end
