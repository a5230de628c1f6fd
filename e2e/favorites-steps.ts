import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { type Credentials, callIdentityService, expectSignedIn, openHydratedPage, submitLogIn } from './identity/steps.ts'
import type { Site } from './server.ts'
import { mainRegion } from './steps.ts'

export const locateFavoriteButtons = (page: Page): Locator => mainRegion(page).getByRole('button', { name: /^Favorite: / })

/** Logs in by a request to the identity service, and returns the ID token. */
export async function fetchIdToken(site: Site, { email, password }: Credentials): Promise<string> {
  const { text } = await callIdentityService(`http://localhost:${site.port}`, 'signInWithPassword', {
    email,
    password,
    returnSecureToken: true,
  })
  const { idToken }: { idToken: string } = JSON.parse(text)
  return idToken
}

/** Returns the ids of the favorites on the server, newest first. */
export async function fetchServerFavorites(site: Site, token: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${site.port}/api/favorite/getall`, { headers: { authorization: `Bearer ${token}` } })
  const { data }: { data: { youtube_id: string }[] } = await response.json()
  return data.map(({ youtube_id }) => youtube_id)
}

export async function logIn(page: Page, site: Site, credentials: Credentials) {
  await openHydratedPage(page, `${site.origin()}/login`)
  await submitLogIn(page, credentials)
  await expectSignedIn(page, credentials)
}

/** Waits until the outbox of the page's database has `rowCount` rows. */
export const expectOutboxCount = (page: Page, rowCount: number) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve, reject) => {
            const openRequest = indexedDB.open('varispeed')
            openRequest.onerror = () => reject(openRequest.error)
            openRequest.onsuccess = () => {
              const countRequest = openRequest.result.transaction('outbox').objectStore('outbox').count()
              countRequest.onsuccess = () => {
                openRequest.result.close()
                resolve(countRequest.result)
              }
            }
          }),
      ),
    )
    .toBe(rowCount)
