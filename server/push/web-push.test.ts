import { expect, it } from 'vitest'
import { createVapidPrivateKey, encryptPayload, readVapidKey } from './web-push.ts'

const decodeBase64 = (text: string) => Buffer.from(text, 'base64url')

it('a payload is encrypted as in the example of RFC 8291 (section 5)', () => {
  const browser = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const randomValues = {
    privateKey: decodeBase64('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: decodeBase64('DGv6ra1nlYgDCS1FRnbzlw'),
  }
  expect(encryptPayload(browser, Buffer.from('When I grow up, I want to be a watermelon'), randomValues).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

it('created keys can be read, and differ from each other', () => {
  const privateKeys = Array.from({ length: 20 }, createVapidPrivateKey)
  expect(new Set(privateKeys.map((key) => readVapidKey(key).publicKey)).size).toBe(20)
  for (const key of privateKeys) expect(readVapidKey(key).publicKey).toMatch(/^B[\w-]{86}$/)
  for (const invalidKey of ['', 'A'.repeat(43), '_'.repeat(43)]) expect(() => readVapidKey(invalidKey)).toThrow()
})
