import { type ContactRequest, otherPageTopics } from '../../contract/contact.ts'

/** The minimum time in milliseconds to fill the form; a faster submission is a bot's. */
const FORM_FILL_MIN_MS = 2000
export const isEmail = (text: string) => /^[^\s@,;:<>()"[\]\\]+@[^\s@.,;:<>()"[\]\\]+(?:\.[^\s@.,;:<>()"[\]\\]+)+$/.test(text)
const isWebUrl = (text: string) => /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text) && URL.canParse(text)
const isBlank = (text: string | undefined) => text === undefined || text.trim() === ''

/** Returns why a form was sent by a bot: judges its honeypot field and the time that it was open, if it contains them. */
function botProblem({ honeypot, open_ms }: ContactRequest): string | undefined {
  if (!isBlank(honeypot)) return 'honeypot must stay empty'
  return open_ms !== undefined && open_ms < FORM_FILL_MIN_MS ? 'open_ms is too short: please wait a moment and send it again' : undefined
}

/** Returns why a contact request is invalid, starting with the field's name; undefined if it is valid. */
export function contactProblem(request: ContactRequest): string | undefined {
  const botProblemText = botProblem(request)
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
