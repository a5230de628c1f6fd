import { expectNoViolation } from './axe.ts'
import { type brands, expect, test } from './fixtures.ts'
import { linkInOutbox } from './identity/outbox.ts'
import { accountMenu, alert, anybody, button, expectSignedIn, field, open, register, submitLogIn } from './identity/steps.ts'
import { heading, main } from './steps.ts'

export function testAccountPages(brand: (typeof brands)[number], width: number) {
  test(`${brand.name} at ${width} px: axe finds nothing on the pages of accounts, nor in what they answer`, async ({
    page,
    site,
    faults,
  }) => {
    test.setTimeout(240_000)
    faults.expect(/status of 400/)
    const origin = site.origin(brand.subdomain)
    const somebody = anybody()
    await register(site.origin(), somebody)
    await page.setViewportSize({ width, height: 900 })

    await test.step('signed out', async () => {
      await open(page, `${origin}/signup`)
      await expect(main(page).getByRole('listitem')).toContainText('6 characters or more')
      await expectNoViolation(page, 'sign up')
      await field(page, 'Email').fill(somebody.email)
      await field(page, 'Password').fill(somebody.password)
      await button(page, 'Sign up').click()
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'sign up, refused')

      await open(page, `${origin}/forgot-password`)
      await expectNoViolation(page, 'forgot password')
      await field(page, 'Email').fill(somebody.email)
      await button(page, 'Send the link').click()
      await expect(main(page).getByRole('status')).toBeVisible()
      await expectNoViolation(page, 'forgot password, sent')

      await open(page, await linkInOutbox(site.dataDir, somebody.email, '/reset-password'))
      await field(page, 'Password').fill('tempo170')
      await field(page, 'Confirm password').fill('tempo171')
      await button(page, 'Reset password').click()
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'reset password, refused')

      await open(page, `${origin}/reset-password?oobCode=none`)
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'a dead link')
      await open(page, `${origin}/verify-email?oobCode=none`)
      await expectNoViolation(page, 'confirm the email')
      await button(page, 'Confirm').click()
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'confirm the email, refused')

      await open(page, `${origin}/login?success=Done`)
      await expectNoViolation(page, 'log in, with a message')
      await submitLogIn(page, { ...somebody, password: 'wrong160' })
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'log in, refused')
      await submitLogIn(page, somebody)
      await expectSignedIn(page, somebody)
    })

    await test.step('signed in', async () => {
      await open(page, `${origin}/login`)
      await expect(button(page, 'Sign out')).toBeVisible()
      await expectNoViolation(page, 'log in, by who is logged in')
      for (const [path, title] of [
        ['/account', 'Dashboard'],
        ['/account/change-password', 'Change password'],
        ['/account/maker', 'Maker'],
      ] as const) {
        await open(page, origin + path)
        await expect(heading(page)).toHaveText(title)
        await expectNoViolation(page, path)
      }
      await open(page, `${origin}/account/change-password`)
      await button(page, 'Change password').click()
      await expect(alert(page)).toBeVisible()
      await expectNoViolation(page, 'change password, refused')
      await open(page, `${origin}/account`)
      await accountMenu(page).click()
      await expectNoViolation(page, 'the menu of the account')
      await page.keyboard.press('Escape')
      await button(page, 'Delete account').click()
      await page.getByRole('dialog').getByLabel('Current password').fill('wrong160')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
      await expectNoViolation(page, 'the dialog of deletion, refused')
    })
  })
}
