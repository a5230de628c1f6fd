import { ApiError } from '../../contract/errors.ts'
import { contactProblem } from '../services/contact-rules.ts'
import type { RouteContext } from './route-context.ts'

export function registerContact({ endpoint, storage, nowMs, contactPerHour }: RouteContext): void {
  endpoint('POST /contact/request', { maxRequestsPerHour: contactPerHour }, async (input, request) => {
    const atMs = nowMs()
    const invalidReason = contactProblem(input, atMs)
    if (invalidReason !== undefined) throw new ApiError('bad-input', invalidReason)
    const { change_id, ...message } = input
    await storage.contacts.add({
      ...message,
      ...(change_id === undefined ? {} : { change_id: change_id.toLowerCase() }),
      brandId: request.site.brand.id,
      atMs,
    })
    return null
  })
}
