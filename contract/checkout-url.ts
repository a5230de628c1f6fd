/**
 * Returns the URL of a checkout, prefilled with the email address and the uid of the signed-in account
 * (https://docs.stripe.com/payment-links/url-parameters). `undefined` if no checkout is configured, or if its setting is not a web address.
 */
export function createCheckoutUrl(checkoutTemplate: string, account: { email: string; uid: string } | undefined): string | undefined {
  if (!/^https?:\/\//i.test(checkoutTemplate) || !URL.canParse(checkoutTemplate)) return undefined
  const url = new URL(checkoutTemplate)
  if (account !== undefined) {
    url.searchParams.set('prefilled_email', account.email)
    url.searchParams.set('client_reference_id', account.uid)
  }
  return url.href
}
