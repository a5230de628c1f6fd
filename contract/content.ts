import Type, { type Static, type TSchema } from 'typebox'
import { RichText } from './rich-text.ts'
import { Settings } from './site.ts'

/*
 * The long texts of a brand. Each text is a setting, whose value is JSON or HTML as an admin writes it, and a document, which the page fetches when
 * the page is first shown. HTML in a setting becomes rich text in the document.
 */

const createHtmlSchema = (description: string) => Type.String({ maxLength: 100_000, contentMediaType: 'text/html', description })
const lineSchema = Type.String({ minLength: 1, maxLength: 500 })
const paragraphSchema = Type.String({ minLength: 1, maxLength: 5000 })
const createListSchema = <T extends TSchema>(item: T) => Type.Array(item, { maxItems: 1000 })

/** The names of the icons that benefits and milestones can have. */
export const contentIcons = [
  'audience',
  'calendar',
  'community',
  'feedback',
  'globe',
  'launch',
  'music',
  'radio',
  'robot',
  'shield',
  'star',
] as const
export type ContentIcon = (typeof contentIcons)[number]
// `Type.Unsafe` declares the static type, which TypeScript cannot infer from a mapped array of literals.
const Icon = Type.Unsafe<ContentIcon>(Type.Union(contentIcons.map((icon) => Type.Literal(icon))))

const Question = { section: Type.Union([Type.Literal('General'), Type.Literal('Network')]), question: lineSchema }
const Milestone = Type.Object({
  title: lineSchema,
  description: paragraphSchema,
  date: Type.String({ maxLength: 10, pattern: '^\\d{4}-\\d{2}(-\\d{2})?$' }),
  icon: Icon,
})
export type Milestone = Static<typeof Milestone>
const Benefit = Type.Object({ title: lineSchema, text: paragraphSchema, icon: Icon })
const Academy = Type.Object({ title: lineSchema, text: paragraphSchema, points: createListSchema(Benefit) })
/** The id of a plan in the texts of a brand. */
export const PlanId = Type.Union([Type.Literal('premium'), Type.Literal('premium-plus'), Type.Literal('donate')])
export type PlanId = Static<typeof PlanId>
const Plan = {
  id: PlanId,
  title: lineSchema,
  price: lineSchema,
  period: Type.String({ maxLength: 500, description: 'How often the price is paid; empty if once.' }),
  action: Type.Union([Type.Literal('Subscribe'), Type.Literal('Donate')]),
  most_popular: Type.Boolean(),
  roles: createListSchema(lineSchema),
}

/** The settings that hold long texts, by key. The command `settings set` takes the text itself or the path of a file that contains the text. */
export const ContentSettings = Type.Object({
  FAQ: createListSchema(Type.Object({ ...Question, answer: createHtmlSchema('The answer, with links where they help.') })),
  TIMELINE: createListSchema(Milestone),
  PRIVACY: Type.Object({ updated: Type.String({ format: 'date', maxLength: 10 }), content: createHtmlSchema('The whole policy.') }),
  PLANS: createListSchema(
    Type.Object({
      ...Plan,
      perks: createListSchema(
        Type.Object({
          text: lineSchema,
          only_with: Type.Optional(Type.Literal('DESIGNER', { description: "Shown only if the setting is 'true'." })),
        }),
      ),
    }),
  ),
  BENEFITS: createListSchema(Benefit),
  ACADEMY: Academy,
  WHAT_IS_CONTENT: createHtmlSchema('The page about the genre.'),
})
export type ContentSettings = Static<typeof ContentSettings>

/** The documents that pages fetch, by name. */
export const contentDocuments = {
  faq: Type.Array(Type.Object({ id: Type.String({ description: 'The anchor of the question.' }), ...Question, answer: RichText })),
  timeline: Type.Array(Milestone),
  privacy: Type.Object({ updated: Type.String(), content: RichText }),
  plans: Type.Array(
    Type.Object({
      ...Plan,
      perks: Type.Array(lineSchema),
      checkout: Type.String({ description: 'The URL of the checkout; empty while it is not open.' }),
    }),
  ),
  benefits: Type.Array(Benefit),
  academy: Academy,
  'what-is': Type.Object({ title: Settings.properties.WHAT_IS_TITLE, content: RichText }),
} as const satisfies Record<string, TSchema>
export type ContentDocumentName = keyof typeof contentDocuments
export type ContentDocument<Name extends ContentDocumentName> = Static<(typeof contentDocuments)[Name]>
/** A document together with its name: the union of one type for each document. */
export type NamedDocument = { [Name in ContentDocumentName]: { name: Name; content: ContentDocument<Name> } }[ContentDocumentName]
export const contentDocumentNames = Object.keys(contentDocuments) as ContentDocumentName[]

export const contentEndpoints = {
  'GET /content/faq': {
    summary: 'The questions and answers, in the order of the page.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.faq,
  },
  'GET /content/timeline': {
    summary: 'The milestones of the site, oldest first.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.timeline,
  },
  'GET /content/privacy': { summary: 'The privacy policy.', tag: 'content', access: 'public', data: contentDocuments.privacy },
  'GET /content/plans': {
    summary: 'The plans that people can subscribe to.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.plans,
  },
  'GET /content/benefits': {
    summary: 'What members of the network get.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.benefits,
  },
  'GET /content/academy': {
    summary: 'What the Academy is and offers.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.academy,
  },
  'GET /content/what-is': {
    summary: 'The page that explains the genre.',
    tag: 'content',
    access: 'public',
    data: contentDocuments['what-is'],
  },
} as const
