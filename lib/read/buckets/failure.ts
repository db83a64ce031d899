import { z } from "zod";

import type { LoadIssue, LoadIssueCode } from "@/lib/core/domain/load-issue";

import type { BucketEnvironment } from "./place";

export type FailureKind =
  | "no-credentials"
  | "denied"
  | "no-bucket"
  | "other-region"
  | "gone"
  | "changed"
  /** The body did not match the listing, or ended early each time. */
  | "broken"
  | "throttled"
  /** An answer exceeds its limits, or the listing repeats. */
  | "endless"
  | "unreachable";

export const STOPPING: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "no-credentials",
  "no-bucket",
  "other-region",
  "throttled",
  "endless",
  "unreachable",
]);

/** The message contains no text from the server, which may be anything. */
export class BucketError extends Error {
  override readonly name = "BucketError";
  readonly kind: FailureKind;
  readonly word: string;

  constructor(kind: FailureKind, word: string, options?: ErrorOptions) {
    super(`${kind} ${word}`.trimEnd(), options);
    this.kind = kind;
    this.word = word;
  }
}

const errorSchema = z
  .looseObject({
    name: z.string().catch(""),
    code: z.string().catch(""),
    Region: z.string().catch(""),
    $metadata: z.looseObject({ httpStatusCode: z.number().catch(0) }).catch({ httpStatusCode: 0 }),
    $response: z.looseObject({ headers: z.record(z.string(), z.unknown()).catch({}) }).catch({ headers: {} }),
  })
  .transform(({ name, code, Region, $metadata, $response: { headers } }) => {
    const region = headers["x-amz-bucket-region"] ?? Region;
    return {
      name,
      code,
      status: $metadata.httpStatusCode,
      region: typeof region === "string" ? toWord(region) : "",
    };
  });

const KINDS: readonly (readonly [kind: FailureKind, names: RegExp, statuses: readonly number[]])[] = [
  ["no-credentials", /^(?:CredentialsProviderError|TokenProviderError|ProviderError)$/u, []],
  [
    "denied",
    /^(?:AccessDenied|AllAccessDisabled|AccountProblem|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|TokenRefreshRequired|Forbidden|Unauthorized|NotSignedUp|InvalidSecurity|AuthorizationHeaderMalformed)/u,
    [401, 403],
  ],
  ["no-bucket", /^NoSuchBucket$/u, []],
  ["gone", /^NoSuchKey$/u, [404]],
  ["changed", /^PreconditionFailed$/u, [412]],
  [
    "throttled",
    /^(?:SlowDown|RequestLimitExceeded|Throttling|TooManyRequests|ServiceUnavailable)/u,
    [429, 503],
  ],
];
const isElsewhere = (name: string, status: number) =>
  status === 301 || status === 307 || name === "AuthorizationHeaderMalformed";

export function toBucketError(error: unknown): BucketError {
  if (error instanceof BucketError) return error;
  const { name, code, status, region } = errorSchema.parse(Object(error));
  if (region !== "" && isElsewhere(name, status))
    return new BucketError("other-region", region, { cause: error });
  const [kind] = KINDS.find(([, names, statuses]) => names.test(name) || statuses.includes(status)) ?? [];
  if (kind !== undefined) return new BucketError(kind, toWord(name), { cause: error });
  return new BucketError("unreachable", toWord(code === "" ? name : code), { cause: error });
}

/** A server may send any text as the name of its error. */
function toWord(text: string): string {
  return /^[\w-]{1,64}$/u.test(text) ? text : "";
}

/** Must not show credentials. */
export function describeCredentials(environment: BucketEnvironment): string {
  const has = (name: string) => (environment[name] ?? "") !== "";
  if (has("AWS_ACCESS_KEY_ID") && has("AWS_SECRET_ACCESS_KEY") && !has("AWS_PROFILE"))
    return "the environment (AWS_ACCESS_KEY_ID)";
  if (has("AWS_PROFILE")) return `the profile "${environment["AWS_PROFILE"] ?? ""}"`;
  if (has("AWS_WEB_IDENTITY_TOKEN_FILE")) return "the web identity token of AWS_WEB_IDENTITY_TOKEN_FILE";
  if (has("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") || has("AWS_CONTAINER_CREDENTIALS_FULL_URI"))
    return "the role of this container";
  return 'the profile "default" or the role of this machine';
}

interface FailureWords {
  readonly code: LoadIssueCode;
  readonly problem: string;
  readonly remedy: string;
}

export function describeFailure(
  { kind, word }: Pick<BucketError, "kind" | "word">,
  address: string,
  environment: BucketEnvironment,
): FailureWords {
  const why = word === "" ? "" : ` (${word})`;
  switch (kind) {
    case "no-credentials":
      return {
        code: "bucket_denied",
        problem: `No credentials for ${address} were found${why}; looked in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE and the profiles of ~/.aws, single sign-on, web identity, and the role of this container or machine.`,
        remedy: 'Set one of them, or sign in with "aws sso login".',
      };
    case "denied":
      return {
        code: "bucket_denied",
        problem: `Access to ${address} was denied${why} to the credentials of ${describeCredentials(environment)}.`,
        remedy: "Allow them s3:ListBucket on the bucket and s3:GetObject on its objects, or use others.",
      };
    case "no-bucket":
      return unreachable(
        `There is no bucket of that name for ${address}${why}.`,
        "Check the name, AWS_ENDPOINT_URL and AWS_REGION.",
      );
    case "other-region":
      return unreachable(
        `The bucket of ${address} is in another region.`,
        `Set AWS_REGION to ${word === "" ? "it" : word}.`,
      );
    case "throttled":
      return unreachable(
        `The server of ${address} is rate-limiting requests${why}.`,
        "Wait: Assay retries the rest later.",
      );
    case "endless":
      return unreachable(
        `The listing of ${address} does not end.`,
        "Open a longer prefix, or check AWS_ENDPOINT_URL.",
      );
    case "gone":
      return notFetched("It was deleted after it was listed.");
    case "changed":
      return notFetched("It was written again after it was listed.");
    case "broken":
      return notFetched("The object kept changing during download.");
    case "unreachable":
      return unreachable(
        `The server of ${address} did not answer, or sent an unreadable answer${why}.`,
        "Check the network and AWS_ENDPOINT_URL.",
      );
  }
}

function unreachable(problem: string, remedy: string): FailureWords {
  return { code: "bucket_unreachable", problem, remedy };
}

function notFetched(problem: string): FailureWords {
  return { code: "object_not_fetched", problem, remedy: "It is retried at the next scan." };
}

export function describeStop(
  error: unknown,
  address: string,
  environment: BucketEnvironment,
): Pick<LoadIssue, "code" | "detail"> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    const detail = `The disk of the data folder is full, so no more of ${address} is fetched. Make room, or set ASSAY_BUCKET_CACHE_GB.`;
    return { code: "object_not_fetched", detail };
  }
  const words = describeFailure(toBucketError(error), address, environment);
  return { code: words.code, detail: `${words.problem} ${words.remedy}` };
}
