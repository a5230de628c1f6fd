import Type, { type Static } from 'typebox'
import { type ContactTopic, contactMaxLengths, formTopics, messageOnlyTopics } from './contact-rules.ts'
import { createUuidSchema } from './input-types.ts'

export const ContactRequest = Type.Object({
  // `Type.Unsafe` declares the static type, which TypeScript cannot infer from a mapped array of literals.
  topic: Type.Unsafe<ContactTopic>(Type.Union([...formTopics, ...messageOnlyTopics].map((topic) => Type.Literal(topic)))),
  email: Type.Optional(Type.String({ maxLength: contactMaxLengths.email })),
  discord: Type.Optional(Type.String({ maxLength: contactMaxLengths.discord })),
  youtube_url: Type.Optional(Type.String({ maxLength: contactMaxLengths.youtube_url })),
  message: Type.Optional(Type.String({ maxLength: contactMaxLengths.message })),
  remember: Type.Optional(Type.Union([Type.Literal('Yes'), Type.Literal('No')])),
  honeypot: Type.Optional(Type.String({ maxLength: 500, description: "The page's invisible field; people leave it empty." })),
  change_id: Type.Optional(createUuidSchema('Made by the client: sent again, it is the same message.')),
  open_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'For how many milliseconds the form was open before it was sent.' })),
})
export type ContactRequest = Static<typeof ContactRequest>

/** A contact message that an account sent. */
export const SentMessage = Type.Object({
  created: Type.String({ description: 'ISO 8601 UTC.' }),
  ...Type.Omit(ContactRequest, ['honeypot', 'change_id', 'open_ms']).properties,
})
export type SentMessage = Static<typeof SentMessage>

export const contactEndpoints = {
  'POST /contact/request': {
    summary: 'A message to the team. The topic `artwork-request` is for subscribers only.',
    tag: 'contact',
    access: 'optional',
    body: ContactRequest,
    data: Type.Null(),
  },
  'GET /contact/artwork': {
    summary: "The caller's 50 newest artwork requests, newest first.",
    tag: 'contact',
    access: 'subscriber',
    data: Type.Array(SentMessage),
  },
} as const
