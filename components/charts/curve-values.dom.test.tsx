import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";

import { openPage } from "@/components/testing/open-page.fixture";
import { prepareCurveChart } from "@/lib/core/charts/curve-chart";

import { CurveValues } from "./curve-values";

const SIZE = { width: 600, height: 200 };

/** There is no layout: charts are told a size. */
function giveSizes(): void {
  vi.stubGlobal(
    "ResizeObserver",
    function observe(tell: (entries: { readonly contentRect: typeof SIZE }[]) => void) {
      const nothing = () => undefined;
      return { observe: () => tell([{ contentRect: SIZE }]), unobserve: nothing, disconnect: nothing };
    },
  );
  const box = vi
    .spyOn(Element.prototype, "getBoundingClientRect")
    .mockReturnValue(new DOMRect(0, 0, 600, 200));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    box.mockRestore();
  });
}

const CHART = prepareCurveChart(
  [0.25, 0.5].map((first, index) => ({
    group: { id: String(index), label: `agent ${index}`, identity: index, variant: 0 },
    curve: {
      ...{ kind: "computed", estimand: "new-tasks", nComparisons: 1, nTasks: 9, level: 0.95 },
      ...{ resamples: 1, seed: 1, generator: "none" },
      points: [1, 2, 3].map((k) => {
        const value = { value: first + k / 16, band: { kind: "unavailable", reason: "one-task" } } as const;
        return { k, nTasks: 9, passAtK: value, passHatK: value };
      }),
    },
    recorded: new Map(index === 0 ? [[2, 0.375]] : []),
  })),
  {
    ...{ id: "c", title: "pass@k", note: "", measure: "passAtK", chosenK: null },
  },
);

test("arrow keys and the pointer show the values at a k with those that Harbor recorded", async () => {
  giveSizes();
  const { user } = openPage(() => <CurveValues chart={CHART} />);
  const layer = await screen.findByRole("application");
  expect(within(layer).getByText("Values of pass@k at each k")).toBeTruthy();
  const tip = async (k: number) => {
    await waitFor(() => expect(screen.getByText(`pass@k, k = ${k}`)).toBeTruthy());
    return screen.getAllByRole("row").map(({ textContent }) => textContent.trim());
  };
  layer.focus();
  await user.keyboard("{ArrowRight}");
  expect(await tip(2)).toEqual(["agent 00.375no intervalHarbor 0.375", "agent 10.625no interval"]);
  await user.keyboard("{ArrowLeft}");
  expect(await tip(1)).toEqual(["agent 00.313no interval", "agent 10.563no interval"]);
  await userEvent.pointer({ target: layer, coords: { clientX: 590, clientY: 30 } });
  expect(await tip(3)).toEqual(["agent 00.438no interval", "agent 10.688no interval"]);
});
