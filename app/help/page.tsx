import type { Metadata } from "next";

import { readGuideHead } from "@/components/help/guide-text";
import { GUIDE_LISTS } from "@/components/help/guides";
import { PageFrame } from "@/components/shell/page-frame";
import { Link } from "@/components/ui/link";
import { PageTitle, Section } from "@/components/ui/page-title";
import { helpHref } from "@/lib/pages/help/address";

export const metadata: Metadata = { title: "Help" };

export default function HelpRoute() {
  return (
    <PageFrame crumbs={[{ label: "Help" }]}>
      <PageTitle title="Help" summary="Available offline." />
      {GUIDE_LISTS.map(({ title, guides }) => (
        <Section key={title} title={title}>
          <dl className="guide-list">
            {Object.entries(guides).map(([name, markdown]) => {
              const head = readGuideHead(markdown);
              return (
                <div key={name}>
                  <dt>
                    <Link href={helpHref(name)}>{head.title}</Link>
                  </dt>
                  <dd className="muted">{head.opening}</dd>
                </div>
              );
            })}
          </dl>
        </Section>
      ))}
    </PageFrame>
  );
}
