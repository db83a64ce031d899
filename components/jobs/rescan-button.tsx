"use client";

import { useState, useTransition } from "react";

import { Button } from "@/components/ui/button";
import { rescanAction } from "@/lib/pages/load-report/actions";

const NO_ANSWER = "Assay is not responding. Is it still running?";

export function RescanButton() {
  const [isScanning, startScan] = useTransition();
  const [words, setWords] = useState("");
  const scan = (): void =>
    startScan(async () => {
      setWords("");
      const failure = await rescanAction().catch(() => NO_ANSWER);
      setWords(failure ?? "Rescanned just now.");
    });
  return (
    <>
      <span role="status" className="muted">
        {isScanning ? "Rescanning folders" : words}
      </span>
      <Button disabled={isScanning} onClick={scan}>
        Rescan folders
      </Button>
    </>
  );
}
