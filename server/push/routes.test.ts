import { expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp } from '../test-app.ts'
import { createVapidPrivateKey, readVapidKey } from './web-push.ts'

const pushTarget = { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) }

it('pushes: only accounts subscribe, only with addresses of push services, and only where the site has a key', async () => {
  const privateKey = createVapidPrivateKey()
  for (const siteEnvironment of [{}, { VAPID_PRIVATE_KEY: privateKey }] as Record<string, string>[]) {
    const site = await createTestApp(siteEnvironment)
    const hasVapidKey = 'VAPID_PRIVATE_KEY' in siteEnvironment
    const idToken = (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json().idToken as string
    const postJson = async (urlPath: string, requestBody: object, authorizationHeader?: string) =>
      (
        await site.app.inject({
          method: 'POST',
          url: `/api${urlPath}`,
          payload: requestBody,
          headers: authorizationHeader === undefined ? {} : { authorization: authorizationHeader },
        })
      ).json()
    const keyAnswer = (await site.app.inject({ url: '/api/follow/push_key' })).json()
    expect(keyAnswer.data.key).toBe(hasVapidKey ? readVapidKey(privateKey).publicKey : '')
    expect((await postJson('/follow/push', pushTarget)).code).toBe(401)
    expect((await postJson('/follow/push', pushTarget, `Bearer ${idToken}`)).code).toBe(hasVapidKey ? 200 : 404)
    for (const invalidEndpoint of [
      ...['https://127.0.0.1/x', 'https://localhost/x', 'http://fcm.googleapis.com/x', 'https://fcm.googleapis.com:8443/x'],
      ...['https://evil.example/fcm.googleapis.com', 'https://fcm.googleapis.com.evil.example/x', 'https://notfcm.googleapis.com.example/'],
      ...['https://a@fcm.googleapis.com/x', 'https://xfcm.googleapis.com/x'],
    ])
      expect(
        (await postJson('/follow/push', { ...pushTarget, endpoint: invalidEndpoint }, `Bearer ${idToken}`)).code,
        invalidEndpoint,
      ).toBeGreaterThanOrEqual(400)
    const exportAnswer = await site.app.inject({ url: '/api/account/export', headers: { authorization: `Bearer ${idToken}` } })
    expect(exportAnswer.json().data.notifications).toEqual(
      hasVapidKey ? [{ service: 'fcm.googleapis.com', since: expect.stringMatching(/^\d{4}-/) }] : [],
    )
    expect((await postJson('/follow/end_push', { endpoint: pushTarget.endpoint })).code).toBe(200)
    expect(await site.storage.pushes.listOf('ann')).toEqual([])
    await site.close()
  }
})
