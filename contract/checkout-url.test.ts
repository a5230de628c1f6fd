import { expect, it } from 'vitest'
import { createCheckoutUrl } from './checkout-url.ts'

const payingAccount = { email: 'a+b@example.com', uid: 'u 1' }

it("checkout: the URL passes the account's email address and uid, and keeps the parameters that it had", () => {
  expect(createCheckoutUrl('https://buy.example/x?locale=de', payingAccount)).toBe(
    'https://buy.example/x?locale=de&prefilled_email=a%2Bb%40example.com&client_reference_id=u+1',
  )
})

it('checkout: for a person who is not signed in, the URL prefills nothing', () => {
  expect(createCheckoutUrl('https://buy.example/x', undefined)).toBe('https://buy.example/x')
})

it.each(['', 'javascript:alert(1)', 'data:text/html,x', '/subscribe', 'https://'])(
  'checkout: the setting %o results in no URL',
  (checkout) => {
    expect(createCheckoutUrl(checkout, payingAccount)).toBeUndefined()
  },
)
