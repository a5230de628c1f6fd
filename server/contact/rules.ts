import type { ContactRequest } from '../../contract/contact.ts'
import { type ContactField, type ContactProblem, contactFields, contactProblems, FORM_OPEN_MIN_MS } from '../../contract/contact-rules.ts'
import { isBlank } from '../../contract/form-rules.ts'

/** Returns why a form was sent by a bot: judges its honeypot field and the time that it was open, if it contains them. */
function botProblem({ honeypot, open_ms }: ContactRequest): string | undefined {
  if (!isBlank(honeypot)) return 'honeypot must stay empty'
  return open_ms !== undefined && open_ms < FORM_OPEN_MIN_MS ? 'open_ms is too short: please wait a moment and send it again' : undefined
}

function fieldProblemText(field: ContactField, problem: ContactProblem): string {
  if (field === 'remember') return 'remember must be Yes: please confirm the reminder'
  if (problem === 'missing') return `${field} is required`
  if (field === 'discord') return 'discord must not contain hidden characters'
  return field === 'email' ? 'email must be an e-mail address' : `${field} must be a URL that starts with https://`
}

/** Returns why a contact request is invalid, starting with the field's name; undefined if it is valid. */
export function contactProblem(request: ContactRequest): string | undefined {
  const botProblemText = botProblem(request)
  if (botProblemText !== undefined) return botProblemText
  const problems = contactProblems(request)
  const field = contactFields.find((each) => problems[each] !== undefined)
  const problem = field && problems[field]
  return problem && fieldProblemText(field, problem)
}
