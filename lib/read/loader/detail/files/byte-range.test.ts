import { expect, test } from "vitest";

import { chooseRange } from "../open-raw-file";
import { detectMediaType } from "./file-type";

test.each([
  [null, null],
  ["bytes=0-9", { from: 0, to: 10 }],
  ["bytes=90-", { from: 90, to: 100 }],
  ["bytes=90-1000", { from: 90, to: 100 }],
  ["bytes=-10", { from: 90, to: 100 }],
  ["bytes=-1000", { from: 0, to: 100 }],
  ["bytes=100-", "beyond"],
  ["bytes=-0", "beyond"],
  ["bytes=9-0", null],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["lines=0-1", null],
] as const)("of 100 bytes %j is %j", (range, expected) => {
  expect(chooseRange({ range, ifRange: null }, 100, '"v"')).toEqual(expected);
});

test("a range of another version is the whole file, and an empty file has none", () => {
  expect(chooseRange({ range: "bytes=0-9", ifRange: '"w"' }, 100, '"v"')).toBeNull();
  expect(chooseRange({ range: "bytes=0-9", ifRange: '"v"' }, 100, '"v"')).toEqual({ from: 0, to: 10 });
  expect(chooseRange({ range: "bytes=0-", ifRange: null }, 0, '"v"')).toBe("beyond");
});

test.each([
  ["\0\0\0\x20ftypisom", "video/mp4"],
  ["\0\0\0\x20ftypM4A ", "audio/mp4"],
  ["\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x84webm", "video/webm"],
  ["\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x88matroska", null],
  ["RIFF\0\0\0\0WAVEfmt ", "audio/wav"],
  ["RIFF\0\0\0\0WEBP", null],
  ["ID3\x04", "audio/mpeg"],
  ["\xff\xfb\x90\x64", "audio/mpeg"],
  ["\xff\xd8\xff\xe0", null],
  ["\xff\xfeh\0i\0", null],
  ["OggS\0", "audio/ogg"],
  ["<html>", null],
])("%j is %s by its first bytes", (text, type) => {
  expect(detectMediaType(Buffer.from(text, "latin1"))).toBe(type);
});
