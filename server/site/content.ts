import type { Brand } from '../../brands/brand.ts'
import { createBrandContent } from '../../brands/content.ts'
import type { ContentDocument, ContentDocumentName, ContentSettings, NamedDocument } from '../../contract/content.ts'
import type { RichText } from '../../contract/rich-text.ts'
import type { Settings } from '../../contract/site.ts'
import type { Log } from '../log.ts'
import { convertToRichText } from '../text/rich-text.ts'
import { type ContentKey, createGenreLinkUpdater, isContentKey, parseContent, type SiteSettings } from './settings.ts'
import type { SettingsStore } from './store.ts'

/** Returns the id for links to a question: its words in lower case, joined by hyphens. */
const createAnchor = (questionText: string) =>
  questionText
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Returns the ids for links to questions. A number is appended to equal ones. Takes time that is linear in the number of questions. */
function createUniqueAnchors(questionTexts: readonly string[]): string[] {
  const usedAnchors = new Set<string>()
  const numberByAnchor = new Map<string, number>()
  for (const questionText of questionTexts) {
    const questionAnchor = createAnchor(questionText) || 'question'
    let anchorNumber = numberByAnchor.get(questionAnchor) ?? 1
    let uniqueAnchor = anchorNumber === 1 ? questionAnchor : `${questionAnchor}-${anchorNumber}`
    while (usedAnchors.has(uniqueAnchor)) uniqueAnchor = `${questionAnchor}-${++anchorNumber}`
    numberByAnchor.set(questionAnchor, anchorNumber + 1)
    usedAnchors.add(uniqueAnchor)
  }
  return [...usedAnchors]
}

type DocumentBuilders = {
  [Name in ContentDocumentName]: (
    content: ContentSettings,
    settings: Settings,
    toRichText: (html: string) => RichText,
  ) => ContentDocument<Name>
}

const replaceLinks = (nodes: RichText, replaceHref: (href: string) => string): RichText =>
  nodes.map((richNode) =>
    typeof richNode === 'string'
      ? richNode
      : {
          ...richNode,
          ...(richNode.href === undefined ? {} : { href: replaceHref(richNode.href) }),
          children: replaceLinks(richNode.children, replaceHref),
        },
  )

/** The settings with the checkouts of the plans. */
export const checkoutSettingKeys = {
  premium: 'CHECKOUT_PREMIUM',
  'premium-plus': 'CHECKOUT_PREMIUM_PLUS',
  donate: 'CHECKOUT_DONATE',
} as const

const documentBuilders: DocumentBuilders = {
  faq({ FAQ }, _settings, toRichText) {
    const anchors = createUniqueAnchors(FAQ.map(({ question }) => question))
    return FAQ.map(({ section, question, answer }, index) => ({ id: anchors[index] ?? '', section, question, answer: toRichText(answer) }))
  },
  timeline: ({ TIMELINE }) => TIMELINE,
  privacy: ({ PRIVACY: { updated, content } }, _settings, toRichText) => ({ updated, content: toRichText(content) }),
  plans: ({ PLANS }, settings) =>
    PLANS.map((planContent) => ({
      ...planContent,
      perks: planContent.perks.filter(({ only_with }) => only_with === undefined || settings[only_with] === 'true').map(({ text }) => text),
      checkout: settings[checkoutSettingKeys[planContent.id]],
    })),
  benefits: ({ BENEFITS }) => BENEFITS,
  academy: ({ ACADEMY }) => ACADEMY,
  'what-is': ({ WHAT_IS_CONTENT }, { WHAT_IS_TITLE }, toRichText) => ({ title: WHAT_IS_TITLE, content: toRichText(WHAT_IS_CONTENT) }),
}

interface ContentDeps {
  settings: SettingsStore
  site: Pick<SiteSettings, 'settingsOf'>
  log: Log
}

/** Creates the service that builds the documents with a brand's long texts. Stored settings override the brand's default texts. */
export function createContentService({ settings, site, log }: ContentDeps) {
  async function readContent(brand: Brand): Promise<ContentSettings> {
    const storedSettings = await settings.readForBrand(brand.id)
    const brandContent: ContentSettings = { ...createBrandContent(brand.id) }
    const parseOverride = <K extends ContentKey>(contentKey: K, contentText: string) => {
      const value = parseContent(contentKey, contentText)
      if (value === undefined) log.warn({ key: contentKey, brand: brand.id }, 'a setting has an invalid value; its default is used')
      else brandContent[contentKey] = value
    }
    for (const [key, text] of Object.entries(storedSettings)) if (text !== undefined && isContentKey(key)) parseOverride(key, text)
    return brandContent
  }

  async function buildDocument<Name extends ContentDocumentName>(name: Name, brand: Brand): Promise<ContentDocument<Name>> {
    const siteSettings = await site.settingsOf(brand)
    return documentBuilders[name](await readContent(brand), siteSettings, (html) =>
      replaceLinks(convertToRichText(html), createGenreLinkUpdater(brand, siteSettings.WHAT_IS_PATH)),
    )
  }

  return {
    documentOf: buildDocument,
    async namedDocumentOf(name: ContentDocumentName, brand: Brand): Promise<NamedDocument> {
      // The cast is safe, because the builder of `name` made the content. TypeScript does not relate the members of the union.
      return { name, content: await buildDocument(name, brand) } as NamedDocument
    },
  }
}
export type ContentService = ReturnType<typeof createContentService>
