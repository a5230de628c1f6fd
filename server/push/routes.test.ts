import { expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp } from '../test-app.ts'
import { createVapidPrivateKey, readVapidKey } from './web-push.ts'

const target = { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) }

it('pushes: only accounts subscribe, only with addresses of push services, and only where the site has a key', async () => {
  const key = createVapidPrivateKey()
  for (const environment of [{}, { VAPID_PRIVATE_KEY: key }] as Record<string, string>[]) {
    const site = await createTestApp(environment)
    const hasKey = 'VAPID_PRIVATE_KEY' in environment
    const token = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
    const post = async (urlPath: string, payload: object, authorization?: string) =>
      (
        await site.app.inject({
          method: 'POST',
          url: `/api${urlPath}`,
          payload,
          headers: authorization === undefined ? {} : { authorization },
        })
      ).json()
    const answer = (await site.app.inject({ url: '/api/follow/push_key' })).json()
    expect(answer.data.key).toBe(hasKey ? readVapidKey(key).publicKey : '')
    expect((await post('/follow/push', target)).code).toBe(401)
    expect((await post('/follow/push', target, `Bearer ${token}`)).code).toBe(hasKey ? 200 : 404)
    for (const endpoint of [
      ...['https://127.0.0.1/x', 'https://localhost/x', 'http://fcm.googleapis.com/x', 'https://fcm.googleapis.com:8443/x'],
      ...['https://evil.example/fcm.googleapis.com', 'https://fcm.googleapis.com.evil.example/x', 'https://notfcm.googleapis.com.example/'],
      ...['https://a@fcm.googleapis.com/x', 'https://xfcm.googleapis.com/x'],
    ])
      expect((await post('/follow/push', { ...target, endpoint }, `Bearer ${token}`)).code, endpoint).toBeGreaterThanOrEqual(400)
    const exportAnswer = await site.app.inject({ url: '/api/account/export', headers: { authorization: `Bearer ${token}` } })
    expect(exportAnswer.json().data.notifications).toEqual(
      hasKey ? [{ service: 'fcm.googleapis.com', since: expect.stringMatching(/^\d{4}-/) }] : [],
    )
    expect((await post('/follow/end_push', { endpoint: target.endpoint })).code).toBe(200)
    expect(await site.storage.pushes.listOf('ann')).toEqual([])
    await site.close()
  }
})
