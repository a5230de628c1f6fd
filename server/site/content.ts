import type { Brand } from '../../brands/brand.ts'
import { contentOfBrand } from '../../brands/content.ts'
import type { ContentDocument, ContentDocumentName, ContentSettings, NamedDocument } from '../../contract/content.ts'
import type { RichText } from '../../contract/rich-text.ts'
import type { Settings } from '../../contract/site.ts'
import type { Log } from '../log.ts'
import { htmlToRichText } from '../text/rich-text.ts'
import { type ContentKey, createGenreLinkUpdater, isContentKey, parseContent, type SiteSettings } from './settings.ts'
import type { SettingsStore } from './store.ts'

/** Returns the id for links to a question: its words in lower case, joined by hyphens. */
const anchorOf = (question: string) =>
  question
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Returns the ids for links to questions. A number is appended to equal ones. Takes time that is linear in the number of questions. */
function uniqueAnchors(questions: readonly string[]): string[] {
  const anchors = new Set<string>()
  const numbers = new Map<string, number>()
  for (const question of questions) {
    const anchor = anchorOf(question) || 'question'
    let number = numbers.get(anchor) ?? 1
    let uniqueAnchor = number === 1 ? anchor : `${anchor}-${number}`
    while (anchors.has(uniqueAnchor)) uniqueAnchor = `${anchor}-${++number}`
    numbers.set(anchor, number + 1)
    anchors.add(uniqueAnchor)
  }
  return [...anchors]
}

type DocumentBuilders = {
  [Name in ContentDocumentName]: (
    content: ContentSettings,
    settings: Settings,
    toRichText: (html: string) => RichText,
  ) => ContentDocument<Name>
}

const replaceLinks = (nodes: RichText, replace: (href: string) => string): RichText =>
  nodes.map((node) =>
    typeof node === 'string'
      ? node
      : {
          ...node,
          ...(node.href === undefined ? {} : { href: replace(node.href) }),
          children: replaceLinks(node.children, replace),
        },
  )

/** The settings with the checkouts of the plans. */
export const checkoutSettingKeys = {
  premium: 'CHECKOUT_PREMIUM',
  'premium-plus': 'CHECKOUT_PREMIUM_PLUS',
  donate: 'CHECKOUT_DONATE',
} as const

const builders: DocumentBuilders = {
  faq({ FAQ }, _settings, toRichText) {
    const anchors = uniqueAnchors(FAQ.map(({ question }) => question))
    return FAQ.map(({ section, question, answer }, index) => ({ id: anchors[index] ?? '', section, question, answer: toRichText(answer) }))
  },
  timeline: ({ TIMELINE }) => TIMELINE,
  privacy: ({ PRIVACY: { updated, content } }, _settings, toRichText) => ({ updated, content: toRichText(content) }),
  plans: ({ PLANS }, settings) =>
    PLANS.map((plan) => ({
      ...plan,
      perks: plan.perks.filter(({ only_with }) => only_with === undefined || settings[only_with] === 'true').map(({ text }) => text),
      checkout: settings[checkoutSettingKeys[plan.id]],
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
    const content: ContentSettings = { ...contentOfBrand(brand.id) }
    const parseOverride = <K extends ContentKey>(key: K, text: string) => {
      const value = parseContent(key, text)
      if (value === undefined) log.warn({ key, brand: brand.id }, 'a setting has an invalid value; its default is used')
      else content[key] = value
    }
    for (const [key, text] of Object.entries(storedSettings)) if (text !== undefined && isContentKey(key)) parseOverride(key, text)
    return content
  }

  async function documentOf<Name extends ContentDocumentName>(name: Name, brand: Brand): Promise<ContentDocument<Name>> {
    const siteSettings = await site.settingsOf(brand)
    return builders[name](await readContent(brand), siteSettings, (html) =>
      replaceLinks(htmlToRichText(html), createGenreLinkUpdater(brand, siteSettings.WHAT_IS_PATH)),
    )
  }

  return {
    documentOf,
    async namedDocumentOf(name: ContentDocumentName, brand: Brand): Promise<NamedDocument> {
      // The cast is safe, because the builder of `name` made the content. TypeScript does not relate the members of the union.
      return { name, content: await documentOf(name, brand) } as NamedDocument
    },
  }
}
export type ContentService = ReturnType<typeof createContentService>
