import { expect, it, vi } from 'vitest'
import { formatNotification, openNewSongs, showPushNotification } from './pushes.ts'

const payloadCases: readonly (readonly [payload: string | undefined, text: string])[] = [
  ['{"songs":1}', '1 new song of an artist you follow'],
  ['{"songs":12}', '12 new songs of artists you follow'],
  ...['{"songs":0}', '{"songs":"<b>"}', '{"songs":1.5}', '{"songs":1e400}', 'null', '[]', '{', '', undefined].map(
    (payload) => [payload, 'New songs of artists you follow'] as const,
  ),
]

it.each(payloadCases)('a push with the payload %s is shown as "%s"', async (payloadText, shownText) => {
  expect(formatNotification(payloadText)).toBe(shownText)
  const showNotification = vi.fn(async () => {})
  // The cast is safe, because only this method of the registration is called.
  await showPushNotification({ showNotification } as unknown as ServiceWorkerRegistration, payloadText)
  expect(showNotification).toHaveBeenCalledWith(shownText, expect.objectContaining({ tag: 'new-songs' }))
})

it('a pressed notification opens Latest in an open window, or in a new one', async () => {
  const openWindow = vi.fn(async () => null)
  const navigateWindow = vi.fn(async () => null)
  const openFromPush = (windows: { focus(): Promise<{ navigate: typeof navigateWindow }> }[]) =>
    openNewSongs({ matchAll: async () => windows, openWindow }, 'https://example.org')
  await openFromPush([{ focus: async () => ({ navigate: navigateWindow }) }])
  expect([navigateWindow.mock.calls, openWindow.mock.calls]).toEqual([[['https://example.org/latest']], []])
  navigateWindow.mockRejectedValueOnce(new TypeError('not controlled by this worker'))
  await openFromPush([{ focus: async () => ({ navigate: navigateWindow }) }])
  await openFromPush([])
  expect(openWindow.mock.calls).toEqual([['https://example.org/latest'], ['https://example.org/latest']])
})
