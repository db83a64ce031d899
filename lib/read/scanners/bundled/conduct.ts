export const CONDUCT_SCANNERS: Readonly<Record<string, string>> = {
  "gave-up.toml": String.raw`
id = "gave-up"
version = 1
title = "Gave up"
meaning = "The last thing that the agent says is that it cannot do the task."
category = "ending"
severity = "medium"
scope = "steps"
at_end = true

[[when]]
role = "agent"
message = '''(?i:\b(?:I|we)(?: am|'m|’m| was| were)? (?:unable|not able) to (?:complete|finish|solve|proceed|continue|fulfil)|\b(?:I|we) (?:cannot|can't|can’t|could not|couldn't) (?:complete|finish|solve|proceed|continue|execute|run any|access the|obtain)|\b(?:giving|gave) up\b|\bthe task (?:is|appears|seems) (?:to be )?(?:impossible|infeasible)|\bI have exhausted\b)'''

[[matches]]
message = "Without the input file I cannot proceed with the task as specified."

[[misses]]
message = "All tests pass. The server cannot be reached from outside, as asked."

[[misses]]
steps = [{ message = "I am unable to complete this with sed." }, { message = "Done with awk instead." }]
`,
  "no-final-answer.toml": String.raw`
id = "no-final-answer"
version = 1
title = "Empty final answer"
meaning = "The last step of the agent says nothing and calls nothing."
category = "ending"
severity = "medium"
scope = "steps"
at_end = true

[[when]]
role = "agent"
not.message = '\S'
not.tool = '\S'

[[matches]]
steps = [{ tool = "bash", arguments = "ls" }, { message = " " }]

[[misses]]
message = "Done."

[[misses]]
tool = "mark_task_complete"
`,
  "ended-in-call.toml": String.raw`
id = "ended-in-call"
version = 1
title = "Ends in a tool call"
meaning = "The trajectory ends in a call: the agent never says that it is done, since it was cut off or stopped there."
category = "ending"
severity = "low"
scope = "steps"
at_end = true

[[when]]
role = "agent"
tool = '^(?!mark_task_complete$|finish$|submit$|complete$|attempt_completion$|task_complete$)\S+'

[[matches]]
tool = "bash"
arguments = "make -j4"

[[misses]]
tool = "mark_task_complete"

[[misses]]
steps = [{ tool = "bash", arguments = "make" }, { message = "Built." }]
`,
  "ended-in-question.toml": String.raw`
id = "ended-in-question"
version = 1
title = "Ends in a question"
meaning = "The last thing that the agent says asks somebody for something, and nobody answered."
category = "ending"
severity = "medium"
scope = "steps"
at_end = true

[[when]]
role = "agent"
message = '(?i:\b(?:please (?:confirm|provide|tell me|let me know|choose|specify|share|upload)|would you like|do you want me to|shall I|should I|which (?:one|option))\b[^\n]{0,600}$(?!\s*\S)|\?\s*$(?!\s*\S))'
not.tool = '\S'

[[matches]]
message = "I found two branches.\nWhich one should I keep?"

[[matches]]
message = "I cannot authenticate you with a ZIP code alone. Please provide the email address on the account."

[[misses]]
message = "Is it done? Yes.\nAll tests pass."
`,
  "call-repeated.toml": String.raw`
id = "call-repeated"
version = 1
title = "Same call, same answer"
meaning = "The agent made exactly the same call three times or more and was given exactly the same output each time. Calls that sleep or wait are left out."
category = "loops"
severity = "medium"
scope = "steps"
repeats = 3

[[when]]
role = "agent"
arguments = '\S[^\n]*'
not.tool = '(?i:wait|poll|stdin|process|todo|plan)'
not.arguments = '\bsleep\b'
# At the beginning nothing but white space until the end.
not.output = '(?<![\s\S])(?!\s*\S)|^\(no output\)|completed with no output'

[[matches]]
steps = [
  { tool = "bash", arguments = "make", output = "error: no rule" },
  { tool = "bash", arguments = "make", output = "error: no rule" },
  { tool = "bash", arguments = "ls", output = "src" },
  { tool = "bash", arguments = "make", output = "error: no rule" },
]

[[misses]]
steps = [
  { tool = "bash", arguments = "make", output = "error: no rule" },
  { tool = "bash", arguments = "make", output = "error: no rule" },
  { tool = "bash", arguments = "make", output = "built" },
]
`,
  "context-reset.toml": String.raw`
id = "context-reset"
version = 1
title = "Context reset"
meaning = "The agent's context ran full, and it went on from a summary of what it had done."
category = "context"
severity = "low"
scope = "steps"

[[when]]
message = '(?i:this session is being continued from a previous conversation|you are picking up work from a previous (?:AI )?agent|conversation (?:history )?(?:has been|was) (?:summarized|summarised|compacted|truncated)|you are about to hand off your work|context (?:has been |was )?compacted)'

[[matches]]
role = "user"
message = "This session is being continued from a previous conversation that ran out of context."

[[misses]]
role = "agent"
message = "Let me write a summary of what was done."
`,
  "history-searched.toml": String.raw`
id = "history-searched"
version = 1
title = "Git history searched"
meaning = "The agent looked through other branches, the reflog or lost objects of a repository, where a solution may be."
category = "benchmark"
severity = "low"
scope = "steps"

[[when]]
role = "agent"
arguments = '\bgit (?:-C \S+ |--no-pager )?(?:(?:log|rev-list|show|grep)\b[^\n|;&]{0,400}\s--all\b|reflog\b(?! expire)|fsck\b[^\n|;&]{0,400}--(?:lost-found|unreachable)|stash list\b|branch (?:-a|--all|-r)\b)'

[[matches]]
tool = "bash"
arguments = "cd /app && git log --oneline --all -- src/parser.py"

[[misses]]
tool = "bash"
arguments = "git log --oneline -5"
`,
};
