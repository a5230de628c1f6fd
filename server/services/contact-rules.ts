import { type ContactRequest, otherPageTopics } from '../../contract/contact.ts'

/** The minimum time in milliseconds to fill the form; a faster submission is a bot's. */
const FORM_FILL_MIN_MS = 2000
/** The maximum time in milliseconds since the form was opened; an older one is a replay. */
const OPEN_MAX_MS = 7 * 86_400_000

const isEmail = (text: string) => /^[^\s@,;:<>()"[\]\\]+@[^\s@.,;:<>()"[\]\\]+(?:\.[^\s@.,;:<>()"[\]\\]+)+$/.test(text)
const isWebUrl = (text: string) => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text) && URL.canParse(text)
const isBlank = (text: string | undefined) => text === undefined || text.trim() === ''

/** Returns why a form was sent by a bot: checks its honeypot field and opening time, if it contains them. */
function botProblem(request: ContactRequest, nowMs: number): string | undefined {
  if (!isBlank(request.honeypot)) return 'honeypot must stay empty'
  if (request.opened_at === undefined) return undefined
  const openedMs = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(request.opened_at) ? Date.parse(request.opened_at) : Number.NaN
  if (Number.isNaN(openedMs)) return 'opened_at must be an ISO 8601 UTC time'
  const openMs = nowMs - openedMs
  if (openMs < FORM_FILL_MIN_MS) return 'opened_at is too recent: please wait a moment and send it again'
  return openMs > OPEN_MAX_MS ? 'opened_at is too long ago: please reload the page and send it again' : undefined
}

/** Returns why a contact request is invalid, starting with the field's name; undefined if it is valid. */
export function contactProblem(request: ContactRequest, nowMs: number): string | undefined {
  const botProblemText = botProblem(request, nowMs)
  if (botProblemText !== undefined) return botProblemText
  const needsMessage = request.topic !== 'request-song'
  if (needsMessage && isBlank(request.message)) return 'message is required'
  const isMessageOnly = otherPageTopics.some((topic) => topic === request.topic)
  const { email = '', discord, youtube_url = '' } = request
  if (!(isMessageOnly && email === '') && !isEmail(email)) return isBlank(email) ? 'email is required' : 'email must be an e-mail address'
  if (!isMessageOnly && isBlank(discord)) return 'discord is required'
  if (!(isMessageOnly && youtube_url === '') && !isWebUrl(youtube_url))
    return isBlank(youtube_url) ? 'youtube_url is required' : 'youtube_url must be a URL that starts with https://'
  if (request.topic === 'request-song' && request.remember !== 'Yes') return 'remember must be Yes: please confirm the reminder'
  return undefined
}
