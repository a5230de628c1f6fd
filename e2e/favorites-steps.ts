import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { askService, type Credentials, expectSignedIn, open, submitLogIn } from './identity/steps.ts'
import type { Site } from './server.ts'
import { main } from './steps.ts'

export const hearts = (page: Page): Locator => main(page).getByRole('button', { name: /^Favorite: / })

export async function tokenOf(site: Site, { email, password }: Credentials): Promise<string> {
  const { text } = await askService(site.origin(), 'signInWithPassword', { email, password, returnSecureToken: true })
  const answer: { idToken: string } = JSON.parse(text)
  return answer.idToken
}

/** What the site has, newest first. */
export async function onSite(site: Site, token: string): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${site.port}/api/favorite/getall`, { headers: { authorization: `Bearer ${token}` } })
  const { data }: { data: { youtube_id: string }[] } = await answer.json()
  return data.map(({ youtube_id }) => youtube_id)
}

export async function logIn(page: Page, site: Site, somebody: Credentials) {
  await open(page, `${site.origin()}/login`)
  await submitLogIn(page, somebody)
  await expectSignedIn(page, somebody)
}

/** Until what a person has done stands in the database of this device. */
export const untilStored = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open('varispeed')
            opening.onerror = () => reject(opening.error)
            opening.onsuccess = () => {
              const counting = opening.result.transaction('outbox').objectStore('outbox').count()
              counting.onsuccess = () => {
                opening.result.close()
                resolve(counting.result)
              }
            }
          }),
      ),
    )
    .toBe(count)
