"use client";

import { Pause, Play } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";

import { Preformatted } from "@/components/ui/preformatted";
import type { Recording, RecordingFrame } from "@/lib/core/domain/file-preview";
import type { TextLine } from "@/lib/core/domain/trial-file";

import { TextLines } from "../trajectory/text-lines";

const SPEEDS = [0.5, 1, 2, 4, 16] as const;
/** Longer pauses of the terminal are cut. */
const LONGEST_WAIT_SECONDS = 2;
const SEEK_SECONDS = 5;

function useReplay(frames: readonly RecordingFrame[], speed: number) {
  const last = frames.length - 1;
  // Shows the end first, which is also visible without scripts; playback starts at the beginning.
  const [at, setAt] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  const seconds = frames[at]?.atSeconds ?? 0;
  useEffect(() => {
    const next = frames[at + 1];
    if (!isPlaying || next === undefined) return;
    const wait = Math.min(LONGEST_WAIT_SECONDS, next.atSeconds - seconds) / speed;
    const timer = setTimeout(() => {
      setAt(at + 1);
      if (at + 1 === last) setPlaying(false);
    }, wait * 1_000);
    return () => clearTimeout(timer);
  }, [frames, at, seconds, last, isPlaying, speed]);

  function toggle() {
    // Restarts after the end.
    if (!isPlaying && at === last) setAt(0);
    setPlaying(!isPlaying);
  }
  const seek = (to: number) => setAt(findFrame(frames, to));
  // A seek within a long pause goes to the next frame.
  const goOn = () => setAt(Math.min(last, Math.max(at + 1, findFrame(frames, seconds + SEEK_SECONDS))));
  return { at, last, seconds, isPlaying, setAt, seek, goOn, toggle };
}

export function RecordingPlayer({ recording }: { recording: Recording }) {
  const { frames, markers, nColumns, nRows, durationSeconds, note } = recording;
  const [speed, setSpeed] = useState(1);
  const { at, last, seconds, isPlaying, setAt, seek, goOn, toggle } = useReplay(frames, speed);

  function act(event: KeyboardEvent<HTMLElement>) {
    const { ctrlKey, metaKey, altKey, key, target } = event;
    const isOn = (controls: string) => target instanceof HTMLElement && target.closest(controls) !== null;
    if (ctrlKey || metaKey || altKey || isOn("select")) return;
    if (key === " " && !isOn("button")) toggle();
    else if (key === "ArrowLeft") seek(seconds - SEEK_SECONDS);
    else if (key === "ArrowRight") goOn();
    else if (key === "Home") setAt(0);
    else if (key === "End") setAt(last);
    else return;
    event.preventDefault();
  }

  return (
    <section className="recording" aria-label="Recording of a terminal" onKeyDown={act}>
      <div className="flow recording-bar">
        <button type="button" className="button" onClick={toggle} title="Play or pause (Space)">
          {isPlaying ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          {isPlaying ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          className="grow"
          min={0}
          max={last}
          value={at}
          aria-label="Position in the recording"
          aria-valuetext={`${formatClock(seconds)} of ${formatClock(durationSeconds)}`}
          onChange={(event) => setAt(Number(event.target.value))}
        />
        <span className="muted nowrap">
          {formatClock(seconds)} / {formatClock(durationSeconds)}
        </span>
        <label className="row muted">
          Speed
          <select className="input" value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>{`${one}×`}</option>
            ))}
          </select>
        </label>
      </div>
      {markers.length === 0 ? null : (
        <div className="recording-markers">
          {markers.map(({ atSeconds, label }, index) => (
            <button key={index} type="button" className="button button-bare" onClick={() => seek(atSeconds)}>
              {formatClock(atSeconds)} {label}
            </button>
          ))}
        </div>
      )}
      <Preformatted
        className="file-text recording-screen"
        tabIndex={0}
        aria-label={`Screen of ${nColumns} columns and ${nRows} rows`}
        style={{ minHeight: `${nRows * 18 + 16}px` }}
      >
        <TextLines lines={drawScreen(frames, at)} />
      </Preformatted>
      <p className="caption">{[note, "Pauses over 2 seconds are shortened."].filter(Boolean).join(" ")}</p>
    </section>
  );
}

function findFrame(frames: readonly RecordingFrame[], seconds: number): number {
  return Math.max(
    0,
    frames.findLastIndex(({ atSeconds }) => atSeconds <= seconds),
  );
}

function drawScreen(frames: readonly RecordingFrame[], at: number): readonly TextLine[] {
  const lines = new Map(frames.slice(0, at + 1).flatMap(({ rows }) => rows));
  return Array.from({ length: Math.max(-1, ...lines.keys()) + 1 }, (_, row) => lines.get(row) ?? "");
}

function formatClock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}
