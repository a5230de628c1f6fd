import { type FieldProblem, isBlankText, isEmail, isWebUrl } from './form-rules.ts'
import { hasHiddenCharacters } from './text.ts'

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
/** Topics of messages that are sent from other pages than the contact form. These topics require only the message, no other field. */
export const messageOnlyTopics = ['song-report', 'artwork-request'] as const
export type FormTopic = (typeof formTopics)[number]
export type ContactTopic = FormTopic | (typeof messageOnlyTopics)[number]

/** Returns the topic that the query parameter `topic` names, or the default topic if it names none. */
export const parseFormTopic = (value: unknown): FormTopic => formTopics.find((topic) => topic === value) ?? formTopics[0]

// The form and the server both apply these rules for contact requests. This file contains no schemas, because pages that import it would load the
// schema library as well.

/** The maximum lengths of the text fields, in characters. */
export const contactMaxLengths = { email: 254, discord: 100, youtube_url: 500, message: 10_000 } as const

/** The minimum time in milliseconds between opening and sending the form. A faster request counts as a bot's. */
export const FORM_OPEN_MIN_MS = 2000

/** The fields that a topic can require, in the form's order. */
export const contactFields = ['email', 'discord', 'youtube_url', 'message', 'remember'] as const
export type ContactField = (typeof contactFields)[number]
/**
 * Why a field is refused. `missing`: the topic requires the field, but it is empty. `invalid`: the field's text is not an address or contains
 * invisible characters.
 */
export type ContactProblem = Extract<FieldProblem, 'missing' | 'invalid'>

interface ContactFields {
  topic: ContactTopic
  email?: string
  discord?: string
  youtube_url?: string
  message?: string
  remember?: 'Yes' | 'No'
}

/** Returns what is wrong with each field of a contact request; an empty object if it is valid. */
export function findContactProblems(request: ContactFields): Partial<Record<ContactField, ContactProblem>> {
  const { topic, email = '', discord, youtube_url = '', message, remember } = request
  const isMessageOnly = messageOnlyTopics.some((each) => each === topic)
  const isSongRequest = topic === 'request-song'
  /** Checks an address field. Only the topics of the contact form require an address. If an address is given, it must be valid, whatever the topic. */
  const findFormatProblem = (fieldText: string, isValid: (text: string) => boolean): ContactProblem | undefined => {
    if (isValid(fieldText) || (isMessageOnly && fieldText === '')) return undefined
    return isBlankText(fieldText) ? 'missing' : 'invalid'
  }
  const emailProblem = findFormatProblem(email, isEmail)
  const urlProblem = findFormatProblem(youtube_url, isWebUrl)
  return {
    ...(emailProblem && { email: emailProblem }),
    ...(!isMessageOnly && isBlankText(discord) && { discord: 'missing' }),
    ...(hasHiddenCharacters(discord ?? '') && { discord: 'invalid' }),
    ...(urlProblem && { youtube_url: urlProblem }),
    ...(!isSongRequest && isBlankText(message) && { message: 'missing' }),
    ...(isSongRequest && remember !== 'Yes' && { remember: 'missing' }),
  }
}
