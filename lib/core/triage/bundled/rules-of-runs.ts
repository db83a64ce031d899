import { ACCOUNT_LIMIT } from "../account-limit";

export const RULES_OF_RUNS = String.raw`
# Why a trial did not pass: the first rule that fits says it. Whatever no rule explains is unexplained, and is the first thing
# to review. A rule claims no more than its evidence proves.
#
#   id       stays as it is once it is published: reviews refer to it
#   class    one of the classes of classes.ts
#   why      one sentence for the reader of the trial
#   facts    all of them hold; with "!" in front, does not hold (facts.ts lists them)
#   match    at least one of these patterns is found in a signal of its kind (signals.ts lists the kinds); case is ignored.
#            exception = '^Name' is matched against "Name: message", without the command
#            that a message quotes and what that wrote to stdout
#   show     kinds of signals that are shown as evidence beside those that matched

# --- No result at all, or one that nobody can use ---

[[rule]]
id = "unreadable"
class = "unreadable"
why = "Its result cannot be read."
facts = ["unreadable"]

[[rule]]
id = "cancelled"
class = "cancelled"
why = "Somebody or something stopped the run."
match = [{ exception = '^(?:Cancell?ed|KeyboardInterrupt|asyncio\.CancelledError)' }]

[[rule]]
id = "verifier-cancelled"
class = "cancelled"
why = "The verifier was cancelled before its end, so that the reward is no verdict."
facts = ["verifier-cancelled"]
match = [{ traceback = '^Trial \S+ cancelled$' }]
show = ["exception", "verifier-output"]

# --- Limits that were reached ---

[[rule]]
id = "context-exceeded"
class = "out_of_context"
why = "The conversation no longer fitted into the context of the model."
facts = ["exception"]
match = [
  { exception = '^Context(?:Length|Window)ExceededError' },
  { exception = 'context_length_exceeded|exceeds? the (?:available |model.s )?(?:maximum )?context|maximum context length|context window (?:is )?(?:exceeded|full)|prompt is too long|input is too long' },
  { provider-error = 'context_length_exceeded|exceeds? the (?:available |model.s )?(?:maximum )?context|maximum context length|prompt is too long' },
]

[[rule]]
id = "output-exceeded"
class = "out_of_output"
why = "The model's answer reached the limit of its length."
facts = ["exception"]
match = [
  { exception = '^Output(?:Length|Token)ExceededError' },
  { exception = 'exceeded the \d+ output token maximum|max_output_tokens (?:reached|exceeded)|finish_reason.{0,4}length' },
  { provider-error = 'exceeded the \d+ output token maximum' },
]

[[rule]]
id = "credits-spent"
class = "out_of_budget"
why = "The account of the model's service had no credit or allowance left."
facts = ["exception", "!in-environment"]
match = [
  { exception = '^ApiUsageLimitError' },
  { exception = '${ACCOUNT_LIMIT}' },
  { provider-error = '${ACCOUNT_LIMIT}' },
]

[[rule]]
id = "agent-timeout"
class = "out_of_time"
why = "The agent did not end within its time."
match = [{ exception = '^AgentTimeoutError' }]

# --- The environment, in any phase ---

[[rule]]
id = "environment-not-started"
class = "infrastructure"
why = "The environment of the trial did not start."
facts = ["exception", "in-environment"]
show = ["exception", "traceback"]

[[rule]]
id = "agent-command-timeout"
class = "agent_crashed"
why = "A command that the agent ran did not end within its own time, and the agent did not outlive that."
facts = ["exception", "in-agent"]
match = [{ exception = 'command timed out after' }]
show = ["traceback"]

[[rule]]
id = "environment-exception"
class = "infrastructure"
why = "The environment failed or was lost, as the exception's type or message says."
match = [
  { exception = '(?<![\s\S])(?:\w+\.)*(?:AgentSetupTimeout|EnvironmentStartTimeout|Daytona\w*|Sandbox\w*|Infra\w*|Healthcheck|AddTestsDir|DownloadVerifierDir|MemoryLimitExceeded|GKE\w+|SSHAccess|ServiceOperationsUnsupported|RuntimeRequest|Image(?:Mirror|RegistryUnavailable)|ComposeLoad|SbxCommand|Transfer|UnsupportedDockerfile|Relay)(?:Error|Exception|Failure)\b' },
  { exception = '(?<![\s\S])[\w.]+: [^\n]{0,400}(?:docker compose command failed|no space left on device|cannot connect to the docker daemon|no such container|container \S{0,80} is not running|error response from daemon|argument list too long: .docker)' },
  { exception = '(?<![\s\S])[\w.]+: [^\n]{0,200}(?:sandbox\b[^\n]{0,80}\b(?:not found|shut down|terminated|not running)|is the sandbox started|infrastructure (?:api|bootstrap))' },
]
show = ["traceback"]

[[rule]]
id = "environment-frames"
class = "infrastructure"
why = "The innermost frames of the traceback are the environment's: it could not run a command or move a file."
facts = ["exception"]
match = [
  { traceback = '[/\\](?:harbor[/\\]environments|daytona\w*|modal|e2b\w*|kubernetes(?:_asyncio)?)[/\\][^"\n]*", line \d+(?![\s\S]*[/\\]harbor[/\\](?!environments[/\\]))' },
]
show = ["exception"]

# --- The model's service ---

[[rule]]
id = "provider-exception"
class = "provider"
why = "The model's service refused or failed, as the type of the exception says."
match = [
  { exception = '^(?:Api(?:[A-Z]\w*)?|UnknownApi|NetworkConnection|AgentAuthentication|ModelNotFound)Error\b' },
]
show = ["provider-error"]

[[rule]]
id = "provider-client"
class = "provider"
why = "The client of the model's service raised it: no key, no access, too many requests, or no answer."
facts = ["!in-environment"]
match = [
  { exception = '^(?:litellm\.)?(?:Authentication|PermissionDenied|RateLimit|APIConnection|APITimeout|API|APIStatus|InternalServer|ServiceUnavailable|BadGateway|Overloaded)Error: ' },
]
show = ["provider-error"]

[[rule]]
id = "provider-rejected-request"
class = "agent_crashed"
why = "The model's service refused a request that was not well formed, and the agent ended with that."
facts = ["exception", "in-agent"]
match = [{ exception = 'invalid_request_error' }]

[[rule]]
id = "model-call-failed"
class = "provider"
why = "A call of the model failed, and the agent ended with that."
facts = ["exception", "in-agent"]
match = [
  { exception = '(?:model|llm|api|completion) (?:call|request) failed|request timed out or interrupted|provider returned error' },
]

[[rule]]
id = "provider-ended-agent"
class = "provider"
why = "The agent's program ended with an error of the model's service."
facts = ["exception", "in-agent"]
match = [
  { provider-error = 'rate.?limit|too many requests|overloaded|\b(?:429|500|502|503|504|529)\b|stream idle timeout|stream disconnected|unable to connect|api error|service unavailable|bad gateway|connection error|authentication|api key' },
]

[[rule]]
id = "agent-not-set-up"
class = "agent_crashed"
why = "The agent could not be installed or started."
facts = ["exception", "in-setup"]
show = ["exception", "traceback", "agent-log"]

# --- The verifier ---

[[rule]]
id = "verifier-timeout"
class = "verifier"
why = "The verifier did not end within its time, so that there is no verdict."
match = [{ exception = '^VerifierTimeoutError' }]
show = ["verifier-output"]

[[rule]]
id = "verifier-no-reward"
class = "verifier"
why = "The verifier ended without a reward that can be used."
match = [{ exception = '^(?:RewardFileNotFound|RewardFileEmpty|VerifierOutputParse|Regrade)Error\b' }]
show = ["verifier-output"]

[[rule]]
id = "verifier-exception"
class = "verifier"
why = "Something was raised while the verifier ran, and there is no reward."
facts = ["exception", "in-verifier"]
show = ["exception", "traceback", "verifier-output"]

# --- The agent's own program ---

[[rule]]
id = "stopped-at-output-limit"
class = "out_of_output"
why = "The trace says that the agent's last answer reached the limit of its length."
facts = ["!missing", "!in-verifier", "!verifier-died"]
match = [{ stop = '^output limit' }]
show = ["end"]

[[rule]]
id = "stopped-at-context-limit"
class = "out_of_context"
why = "The trace says that the agent stopped because the model's context was full."
facts = ["!missing", "!in-verifier", "!verifier-died"]
match = [{ stop = '^context limit|^error: [^\n]*(?:prompt is too long|context_length_exceeded|maximum context length)' }]
show = ["end"]

[[rule]]
id = "stopped-at-turn-limit"
class = "out_of_turns"
why = "The trace says that the agent reached its limit of turns, calls or cost."
facts = ["!missing", "!in-verifier", "!verifier-died"]
match = [{ stop = '^turn limit' }]
show = ["end"]

[[rule]]
id = "stopped-by-abort"
class = "cancelled"
why = "The trace says that the agent's last turn was aborted."
facts = ["!missing", "!in-verifier", "!verifier-died"]
match = [{ stop = '^aborted' }]
show = ["exception", "end"]

[[rule]]
id = "agent-refused"
class = "stopped_early"
why = "The model refused the task for reasons of safety."
facts = ["!missing", "!in-verifier"]
match = [{ exception = '^AgentSafetyRefusalError' }, { stop = '^refusal' }]
show = ["end"]

[[rule]]
id = "agent-killed"
class = "agent_crashed"
why = "The agent's program was ended from outside: its exit code is that of a signal. What sent it is not recorded."
match = [{ exception = '^NonZeroAgentExitCodeError: .{0,40}\bexit (?:137|143)\b' }]
show = ["agent-log"]

[[rule]]
id = "agent-exit-code"
class = "agent_crashed"
why = "The agent's program ended with an exit code that says it failed. Its exception and its logs name no cause that a rule knows."
match = [{ exception = '^NonZeroAgentExitCodeError' }]
show = ["agent-log"]

[[rule]]
id = "provider-client-traceback"
class = "provider"
why = "It was raised in the client of the model's service while that handled an answer."
facts = ["exception", "in-agent"]
match = [{ traceback = '[/\\](?:anthropic|openai|litellm|mistralai|cohere|genai)[/\\][^"\n]*", line \d+' }]
show = ["exception"]

[[rule]]
id = "agent-exception"
class = "agent_crashed"
why = "Something was raised while the agent ran, and nothing says that anybody else raised it."
facts = ["exception", "in-agent"]
show = ["exception", "traceback", "agent-log"]
`;
