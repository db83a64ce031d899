import { isObject, type JsonObject, listOr, objectOr, parseJsonText, pickText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addMessage, addResults, objectsOf, readStop, readUsage } from "./message";
import { parseParts, type RawTrajectory } from "./raw-trajectory";
import type { TraceLog, TraceReader } from "./trace-reader";

const MAX_EPISODES = 5_000;
const EPISODE = /episode-\d+\/[^/]+$/u;

export const MESSAGES_EPISODES: TraceReader = {
  format: "Messages API episodes",
  lacks: "times",
  holds: "value",
  recognise: ({ file, keys }) => EPISODE.test(file) && keys.has("content") && keys.has("role"),
  parse: readMessages,
};

export const TERMINUS_EPISODES: TraceReader = {
  format: "Terminus episodes",
  lacks: "times or tokens",
  holds: "text",
  recognise: ({ file, text }) =>
    EPISODE.test(file) && file.endsWith("/response.txt") && /"(?:commands|keystrokes)"/u.test(text),
  parse: readTerminus,
};

async function walkEpisodes(
  log: TraceLog,
  read: (folder: string, nth: number) => Promise<void>,
): Promise<void> {
  const above = log.file.split("/").slice(0, -2).join("/");
  const folders = new Map<string, number>();
  for (const file of [log.file, ...log.files]) {
    const [name = "", rest] = file.startsWith(`${above}/`) ? file.slice(above.length + 1).split("/") : [];
    const number = /^episode-(\d{1,9})$/u.exec(name)?.[1];
    if (number !== undefined && rest !== undefined) folders.set(`${above}/${name}/`, Number(number));
  }
  const ordered = [...folders].sort(([, a], [, b]) => a - b).slice(0, MAX_EPISODES);
  for (const [nth, [folder]] of ordered.entries()) await read(folder, nth);
}

async function readMessages(log: TraceLog): Promise<RawTrajectory> {
  const conversation = new Conversation();
  const readObject = async (file: string) => objectOr(parseJsonText((await log.read(file)) ?? ""));
  await walkEpisodes(log, async (folder, n) => {
    const response = await readObject(`${folder}response.json`);
    if (n === 0) addPrompt(conversation, await readObject(`${folder}request.json`));
    if (!Array.isArray(response["content"])) return;
    addMessage(conversation, response["content"], { source: "agent", usage: readUsage(response["usage"]) });
    conversation.stop(readStop(response));
    const results = parseJsonText((await log.read(`${folder}tool-results.json`)) ?? "");
    addResults(conversation, objectsOf(isObject(results) ? results["results"] : results));
  });
  return conversation.finish();
}

function addPrompt(conversation: Conversation, request: JsonObject): void {
  const system = request["system"];
  if (system !== undefined) conversation.say({ source: "system", message: parseParts(system) });
  for (const message of listOr(request["messages"]).filter(isObject)) {
    const source = pickText(message, "role") === "assistant" ? "agent" : "user";
    addMessage(conversation, message["content"], { source });
  }
}

async function readTerminus(log: TraceLog): Promise<RawTrajectory> {
  const conversation = new Conversation();
  await walkEpisodes(log, async (folder, n) => {
    const prompt = await log.read(`${folder}prompt.txt`);
    const response = await log.read(`${folder}response.txt`);
    // The next prompt is the output of the previous commands.
    if (prompt !== null && n > 0) conversation.answer({ callId: null, parts: parseParts(prompt) });
    else if (prompt !== null) conversation.say({ source: "user", message: parseParts(prompt) });
    if (response !== null) addResponse(conversation, response);
  });
  return conversation.finish();
}

function addResponse(conversation: Conversation, text: string): void {
  const plan = objectOr(parseJsonText(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
  const commands = objectsOf(plan["commands"]);
  const words = [pickText(plan, "analysis", "state_analysis"), pickText(plan, "plan", "explanation")];
  const said = words.filter(Boolean).join("\n\n");
  conversation.say({ source: "agent", message: parseParts(said === "" ? text : said) });
  for (const command of commands) conversation.call(null, "keystrokes", command);
}
