-- Sends one request over and over, and prints a line of figures for the scripts.
-- wrk ... URL -- [BODY-FILE]. The request is made once, so Lua takes no time of the run.

function init(args)
  if args[1] then
    local file = assert(io.open(args[1], "rb"))
    wrk.method = "POST"
    wrk.body = file:read("*a")
    wrk.headers["Content-Type"] = "application/json"
    file:close()
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("FIGURES %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
