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
export type FormTopic = (typeof formTopics)[number]
export type ContactTopic = FormTopic | (typeof otherPageTopics)[number]

/** Returns the topic of an address's `?topic=`; the default for an unknown one. */
export const parseFormTopic = (value: unknown): FormTopic => formTopics.find((topic) => topic === value) ?? formTopics[0]
