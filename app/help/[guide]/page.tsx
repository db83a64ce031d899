import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { GuideText, readGuideHead } from "@/components/help/guide-text";
import { getGuide } from "@/components/help/guides";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { helpHref } from "@/lib/pages/help/address";

export async function generateMetadata({ params }: PageProps<"/help/[guide]">): Promise<Metadata> {
  const markdown = getGuide((await params).guide);
  return { title: markdown === null ? "Page not found" : readGuideHead(markdown).title };
}

export default async function GuideRoute({ params }: PageProps<"/help/[guide]">) {
  const markdown = getGuide((await params).guide) ?? notFound();
  const { title } = readGuideHead(markdown);
  return (
    <PageFrame crumbs={[{ label: "Help", href: helpHref(null) }, { label: title }]}>
      <PageTitle title={title} />
      <GuideText markdown={markdown} />
    </PageFrame>
  );
}
