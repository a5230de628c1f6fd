import { expect, test } from './fixtures.ts'
import { buttonNamed, expectSignedIn, newCredentials, openHydrated, signUpByRequest, submitLogIn } from './identity/steps.ts'

test('logins: one device signs the others out, which then ask for the login again', async ({ page, browser, site, faults }) => {
  faults.expect(/40[01]/)
  const credentials = newCredentials()
  await signUpByRequest(site.origin(), credentials)
  const otherContext = await browser.newContext()
  const other = await otherContext.newPage()
  for (const device of [page, other]) {
    await openHydrated(device, `${site.origin()}/login`)
    await submitLogIn(device, credentials)
    await expectSignedIn(device, credentials)
  }
  await openHydrated(page, '/account')
  const section = page.getByRole('region', { name: 'Where you are logged in' })
  await expect(section.getByText('This device')).toHaveCount(1)
  const endButtons = buttonNamed(page, 'Sign out there')
  // The request that signed up is a login too.
  await expect(endButtons).toHaveCount(2)
  await endButtons.first().click()
  await expect(endButtons).toHaveCount(1)
  await endButtons.first().click()
  await expect(endButtons).toHaveCount(0)
  await openHydrated(other, `${site.origin()}/account`)
  await expect(other).toHaveURL(/\/login/)
  await expect(other.getByText('You were signed out. Log in again to go on.')).toBeVisible()
  await buttonNamed(page, 'Sign out everywhere').click()
  await expect(page).toHaveURL(/\/$/)
  await otherContext.close()
})
