import { ApiError } from '../../contract/errors.ts'
import { contactMail } from '../services/contact-mail.ts'
import { contactProblem } from '../services/contact-rules.ts'
import type { Mailer } from '../services/mail.ts'
import type { RouteContext } from './route-context.ts'

interface ContactDeps {
  mailer: Mailer
  /** The address that is told of each message. */
  mailTo: string | undefined
}

export function registerContact({ endpoint, storage, site, nowMs, contactPerHour }: RouteContext, { mailer, mailTo }: ContactDeps): void {
  endpoint('POST /contact/request', { maxRequestsPerHour: contactPerHour }, async (input, request) => {
    const invalidReason = contactProblem(input)
    if (invalidReason !== undefined) throw new ApiError('bad-input', invalidReason)
    const atMs = nowMs()
    const { change_id, ...message } = input
    const { brand } = request.site
    const mail =
      mailTo === undefined ? undefined : contactMail(message, { to: mailTo, siteName: (await site.settingsOf(brand)).NAME, atMs })
    await storage.contacts.add(
      { ...message, ...(change_id === undefined ? {} : { change_id: change_id.toLowerCase() }), brandId: brand.id, atMs },
      mail,
    )
    mailer.wake()
    return null
  })
}
