import Type, { type Static } from 'typebox'

/** The topics of the contact form, in the form's order; the first is the default. */
export const formTopics = [
  'request-song',
  'apply-member',
  'apply-academy',
  'bug-report',
  'advertisement',
  'business-inquiry',
  'other',
] as const
/** Topics of other pages' requests, which require a message only. */
export const otherPageTopics = ['song-report', 'artwork-request'] as const
export type ContactTopic = (typeof formTopics)[number] | (typeof otherPageTopics)[number]

export const ContactRequest = Type.Object({
  // `Type.Unsafe` declares the static type, which TypeScript cannot infer from a mapped array of literals.
  topic: Type.Unsafe<ContactTopic>(Type.Union([...formTopics, ...otherPageTopics].map((topic) => Type.Literal(topic)))),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  discord: Type.Optional(Type.String({ maxLength: 100 })),
  youtube_url: Type.Optional(Type.String({ maxLength: 500 })),
  message: Type.Optional(Type.String({ maxLength: 10_000 })),
  remember: Type.Optional(Type.Union([Type.Literal('Yes'), Type.Literal('No')])),
  honeypot: Type.Optional(Type.String({ maxLength: 500, description: "The page's invisible field; people leave it empty." })),
  change_id: Type.Optional(Type.String({ format: 'uuid', description: 'Made by the client: sent again, it is the same message.' })),
  open_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'For how many milliseconds the form was open before it was sent.' })),
})
export type ContactRequest = Static<typeof ContactRequest>
