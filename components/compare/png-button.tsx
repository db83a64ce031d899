"use client";

import { Download } from "lucide-react";
import type { Route } from "next";
import { useState } from "react";

import { Button } from "@/components/ui/button";

/** Pixels of the picture for each of the drawing. */
const SCALE = 2;

/** Saves the SVG file at an address as PNG, drawn by the browser. */
export function PngButton({ href }: { href: Route }) {
  const [isFailed, setIsFailed] = useState(false);
  const save = () =>
    savePng(href).then(
      () => setIsFailed(false),
      () => setIsFailed(true),
    );
  return (
    <Button look="bare" onClick={() => void save()}>
      <Download size={16} aria-hidden />
      {isFailed ? "PNG failed, try again" : "PNG"}
    </Button>
  );
}

async function savePng(href: string): Promise<void> {
  const image = new Image();
  image.src = href;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = "pass-at-k.png";
  link.click();
}
