-- wrk script: picks a user and a path for each request, and stops after REQUESTS answers.
-- Reads from the environment: TOKENS and WRONG_TOKENS (files of base64 credentials, one a line), REQUESTS, SEED.

local agents = {
   "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
   "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
   "ContosoSync/4.2 (\"beta\")",
}

local referers = { nil, "https://portal.contoso.com/", "https://portal.contoso.com/search?q=a%20b" }

local words = { "budget", "caf%C3%A9", "annual+report", "%22exact+phrase%22", "a%26b", "" }

local function lines(name)
   local found = {}
   for line in io.lines(name) do
      found[#found + 1] = line
   end
   return found
end

local function pick(list, size)
   return list[math.random(size or #list)]
end

-- Squaring leans towards the front of the list: a few people make most of the requests.
local function pickUser(list)
   return list[1 + math.floor(#list * math.random() ^ 2)]
end

local function target()
   local chance = math.random(100)
   if chance <= 24 then return "GET", "/mail/inbox" end
   if chance <= 30 then return "GET", "/mail/message/" .. math.random(5000) end
   if chance <= 36 then return "POST", "/mail/send" end
   if chance <= 39 then return "DELETE", "/mail/message/" .. math.random(5000) end
   if chance <= 57 then return "GET", "/files/report-" .. math.random(36) .. ".pdf" end
   -- No HEAD here: wrk would wait for a body that never comes.
   if chance <= 60 then return "GET", "/files/" end
   if chance <= 62 then return "PUT", "/files/report-" .. math.random(30) .. ".pdf" end
   if chance <= 76 then return "GET", "/api/v1/search?q=" .. pick(words) .. "&page=" .. math.random(4) end
   if chance <= 82 then return "GET", "/api/v1/me" end
   if chance <= 84 then return "POST", "/api/v1/export" end
   if chance <= 88 then return "GET", "/calendar/2025/" .. math.random(12) end
   if chance <= 90 then return "PUT", "/calendar/event/" .. math.random(900) end
   if chance <= 91 then return "GET", "/old/inbox" end
   if chance <= 92 then return "GET", "/admin/users" end
   if chance <= 93 then return "OPTIONS", "/mail/inbox" end
   return "GET", pick({ "/public/index.html", "/public/logo.svg", "/public/missing.css" })
end

local tokens, wrongTokens, remaining

function init()
   math.randomseed(tonumber(os.getenv("SEED")))
   tokens = lines(os.getenv("TOKENS"))
   wrongTokens = lines(os.getenv("WRONG_TOKENS"))
   remaining = tonumber(os.getenv("REQUESTS"))
end

function request()
   local method, path = target()
   local headers = { ["User-Agent"] = pick(agents), ["Referer"] = pick(referers, 3) }
   local isPublic = path:sub(1, 8) == "/public/"
   local chance = math.random(100)
   if isPublic and chance <= 80 or chance <= 2 then
      -- Nobody: fine for a public page, 401 elsewhere.
   elseif chance <= 5 then
      headers["Authorization"] = "Basic " .. pickUser(wrongTokens)
   else
      headers["Authorization"] = "Basic " .. pickUser(tokens)
   end
   if method == "GET" and path:sub(1, 7) == "/files/" and math.random(6) == 1 then
      headers["Range"] = "bytes=0-99"
   end
   local body = nil
   if method == "POST" or method == "PUT" then
      body = "text"
   end
   return wrk.format(method, path, headers, body)
end

function response()
   remaining = remaining - 1
   if remaining <= 0 then
      wrk.thread:stop()
   end
end
