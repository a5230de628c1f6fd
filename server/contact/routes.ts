import type { ContactRequest } from '../../contract/contact.ts'
import {
  type ContactField,
  type ContactProblem,
  contactFields,
  FORM_OPEN_MIN_MS,
  findContactProblems,
} from '../../contract/contact-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { isBlankText } from '../../contract/form-rules.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { findNetwork } from '../http/client-id.ts'
import type { AttemptLimit } from '../http/store-attempts.ts'
import { requireSubscriber, requireUser, toRoleHolder } from '../http/user.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { RouteContext } from '../route-context.ts'
import { createContactMail } from './mail.ts'

/**
 * Returns why a contact form counts as sent by a bot, judging by its honeypot field and by the time for which the form was open; `undefined` if it
 * does not count as sent by a bot. A missing field is no sign of a bot.
 */
function findBotProblem({ honeypot, open_ms }: ContactRequest): string | undefined {
  if (!isBlankText(honeypot)) return 'honeypot must stay empty'
  return open_ms !== undefined && open_ms < FORM_OPEN_MIN_MS ? 'open_ms is too short: please wait a moment and send it again' : undefined
}

function describeFieldProblem(field: ContactField, problem: ContactProblem): string {
  if (field === 'remember') return 'remember must be Yes: please confirm the reminder'
  if (problem === 'missing') return `${field} is required`
  if (field === 'discord') return 'discord must not contain hidden characters'
  return field === 'email' ? 'email must be an e-mail address' : `${field} must be a URL that starts with https://`
}

/** Returns why a contact request is invalid, starting with the field's name; undefined if it is valid. */
function findContactProblem(request: ContactRequest): string | undefined {
  const botProblemText = findBotProblem(request)
  if (botProblemText !== undefined) return botProblemText
  const contactProblems = findContactProblems(request)
  const field = contactFields.find((each) => contactProblems[each] !== undefined)
  const problem = field && contactProblems[field]
  return problem && describeFieldProblem(field, problem)
}

/** The value of `Retry-After`, in seconds, if a message is refused because a limit of messages is reached. */
const RETRY_AFTER_LIMIT_SECONDS = 3600

/**
 * The limit of messages of one network in a day (UTC), as a multiple of its hourly limit. It prevents that one network uses up the daily limit of all
 * messages.
 */
const DAILY_TO_HOURLY_LIMIT_RATIO = 2

/** The maximum number of artwork requests of an account that the account sees in the list. The account export contains all of them. */
const ARTWORK_REQUESTS_MAX = 50

interface ContactDeps {
  mailer: Mailer
  /** The email address that receives a mail about each message. If undefined, no mail is sent. */
  mailTo: string | undefined
}

export function registerContactRoutes(
  { endpoint, storage, site, nowMs, contactPerHour }: RouteContext,
  { mailer, mailTo }: ContactDeps,
): void {
  endpoint('GET /contact/artwork', {}, (_input, request) =>
    storage.contacts.listOf(toRoleHolder(requireUser(request)), { topic: 'artwork-request', limit: ARTWORK_REQUESTS_MAX }),
  )

  /** Returns the limits of the messages of a network, which all processes of the site count together. */
  const createMessageLimits = (network: string): AttemptLimit[] => [
    { key: `messages of an hour ${network}`, max: contactPerHour, windowMs: HOUR_MS },
    { key: `messages of a day ${network}`, max: DAILY_TO_HOURLY_LIMIT_RATIO * contactPerHour, windowMs: DAY_MS },
  ]

  endpoint('POST /contact/request', { maxRequestsPerHour: contactPerHour }, async (input, request) => {
    const invalidReason = findContactProblem(input)
    if (invalidReason !== undefined) throw new ApiError('bad-input', invalidReason)
    const atMs = nowMs()
    const { brand } = request.site
    const settings = await site.settingsOf(brand)
    const { change_id, ...contactMessage } = input
    if (contactMessage.topic === 'artwork-request') {
      const user = requireUser(request)
      requireSubscriber(user)
      if (settings.ARTWORK !== 'true') throw new ApiError('bad-input', 'Artwork requests are closed.')
      // Replies go to the email address of the account, whatever address the request contains.
      if (user.email !== undefined) contactMessage.email = user.email
    }
    if ((await storage.attempts.take(createMessageLimits(findNetwork(request.ip)), atMs)) === undefined)
      throw new ApiError('too-many', 'There were many messages from your network. Please try again later.', RETRY_AFTER_LIMIT_SECONDS)
    const contactMail = mailTo === undefined ? undefined : createContactMail(contactMessage, { to: mailTo, siteName: settings.NAME, atMs })
    const isContactStored = await storage.contacts.add(
      {
        ...contactMessage,
        ...(change_id === undefined ? {} : { change_id: change_id.toLowerCase() }),
        brandId: brand.id,
        atMs,
        ...(request.user && { uid: request.user.uid }),
      },
      contactMail,
    )
    if (!isContactStored)
      throw new ApiError('too-many', 'We have too many messages today. Please try again later.', RETRY_AFTER_LIMIT_SECONDS)
    mailer.wake()
    return null
  })
}
