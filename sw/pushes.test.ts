import { expect, it, vi } from 'vitest'
import { notificationText, openNewSongs, showPush } from './pushes.ts'

const payloads: readonly (readonly [payload: string | undefined, text: string])[] = [
  ['{"songs":1}', '1 new song of an artist you follow'],
  ['{"songs":12}', '12 new songs of artists you follow'],
  ...['{"songs":0}', '{"songs":"<b>"}', '{"songs":1.5}', '{"songs":1e400}', 'null', '[]', '{', '', undefined].map(
    (payload) => [payload, 'New songs of artists you follow'] as const,
  ),
]

it.each(payloads)('a push with the payload %s is shown as "%s"', async (payload, text) => {
  expect(notificationText(payload)).toBe(text)
  const showNotification = vi.fn(async () => {})
  // The cast is safe, because only this method of the registration is called.
  await showPush({ showNotification } as unknown as ServiceWorkerRegistration, payload)
  expect(showNotification).toHaveBeenCalledWith(text, expect.objectContaining({ tag: 'new-songs' }))
})

it('a pressed notification opens Latest in an open window, or in a new one', async () => {
  const openWindow = vi.fn(async () => null)
  const navigate = vi.fn(async () => null)
  const open = (windows: { focus(): Promise<{ navigate: typeof navigate }> }[]) =>
    openNewSongs({ matchAll: async () => windows, openWindow }, 'https://example.org')
  await open([{ focus: async () => ({ navigate }) }])
  expect([navigate.mock.calls, openWindow.mock.calls]).toEqual([[['https://example.org/latest']], []])
  navigate.mockRejectedValueOnce(new TypeError('not controlled by this worker'))
  await open([{ focus: async () => ({ navigate }) }])
  await open([])
  expect(openWindow.mock.calls).toEqual([['https://example.org/latest'], ['https://example.org/latest']])
})
