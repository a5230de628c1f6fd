import { requireUser } from '../http/user.ts'
import { clampClientTime, type RouteContext } from '../route-context.ts'

export function registerPresetRoutes({ endpoint, storage, nowMs }: RouteContext): void {
  endpoint('POST /make/presets', {}, async ({ changes = [] }, request) => {
    const { uid } = requireUser(request)
    const rows = changes.map(({ name, settings, changed_at }) => ({ name, settings, changedMs: clampClientTime(changed_at, nowMs()) }))
    if (rows.length > 0) await storage.presets.change(uid, rows)
    return storage.presets.list(uid)
  })
}
