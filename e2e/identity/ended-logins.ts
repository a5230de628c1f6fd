import { expect } from 'vitest'
import type { Site } from '../server.ts'

interface LoginTokens {
  idToken: string
  refreshToken: string
}

const annCredentials = { email: 'ann@example.com', password: 'secret-1', returnSecureToken: true }

async function postJson(site: Site | undefined, urlPath: string, requestBody: object, idToken?: string) {
  const response = await fetch(`http://127.0.0.1:${site?.port}${urlPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }) },
    body: JSON.stringify(requestBody),
  })
  return { status: response.status, body: await response.json() }
}

/** Signs in to the account of these tests by a request to the server's identity service. Returns the tokens. */
const signIn = async (site: Site | undefined, action = 'signInWithPassword'): Promise<LoginTokens> =>
  (await postJson(site, `/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`, annCredentials)).body

const requestStatus = async ({ port }: Site, idToken: string) =>
  (await fetch(`http://127.0.0.1:${port}/api/account/getinfo`, { headers: { authorization: `Bearer ${idToken}` } })).status
const requestStatuses = (sites: readonly Site[], idToken: string) => Promise.all(sites.map((site) => requestStatus(site, idToken)))

const refreshTokens = ([, site]: readonly Site[], refresh_token: string) =>
  postJson(site, '/securetoken.googleapis.com/v1/token?key=any', { grant_type: 'refresh_token', refresh_token })

/** The ways in which a login can end. Each is carried out on the first server, and ends the login to which the tokens belong. */
const loginEndingByName: Record<string, (sites: readonly Site[], tokens: LoginTokens) => Promise<unknown>> = {
  'sign-out': ([site], { refreshToken }) => postJson(site, '/api/account/sign_out', { refresh_token: refreshToken }),
  'sign-out from another device': async ([site]) => {
    const { idToken } = await signIn(site)
    expect((await postJson(site, '/api/account/end_logins', { others_only: true }, idToken)).status).toBe(200)
  },
  'reuse of a stolen refresh token': async (runningSites, { refreshToken }) => {
    expect((await refreshTokens(runningSites, refreshToken)).status).toBe(200)
    // Two tabs may use the same refresh token within ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 10_500))
    expect((await refreshTokens(runningSites, refreshToken)).status).toBe(400)
  },
}

/** Expects that two servers with one database refuse an identity token within a second after its login has ended on one of them. */
export async function expectEndedLoginsRefused(sites: readonly Site[]) {
  await signIn(sites[0], 'signUp')
  for (const [endingName, endLogins] of Object.entries(loginEndingByName)) {
    const loginTokens = await signIn(sites[0])
    expect(await requestStatuses(sites, loginTokens.idToken), endingName).toEqual([200, 200])
    await endLogins(sites, loginTokens)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await requestStatuses(sites, loginTokens.idToken), endingName).toEqual([401, 401])
  }
}
