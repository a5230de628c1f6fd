import { expect, test } from './fixtures.ts'
import { signInByRequest } from './identity/steps.ts'
import { createSubscriber } from './maker-steps.ts'
import { startViolationReportingSite, type ViolationReportingSite } from './violation-reporting-site.ts'

// The test reads the violations that browsers report to the site, because the console of a page does not show violations in its workers.

test.use({ serviceWorkers: 'allow' })

let site: ViolationReportingSite
test.beforeAll(async () => {
  site = await startViolationReportingSite()
})
test.afterAll(() => site.stop())

/** Calls that an attacker's script would try. In these tests, code that the site itself sent makes them. */
const sinkScripts = {
  innerHTML: "document.body.innerHTML = '<b>x</b>'",
  'the source of a script': "document.createElement('script').src = '/assets/x.js'",
  'the text of a script': "document.createElement('script').text = 'x'",
  'a worker of a data address': "new Worker('data:text/javascript,1')",
  'a worker of the site that no policy allowed': "new Worker('/assets/x.js')",
  'a service worker': "navigator.serviceWorker.register('/sw.js')",
  'a timer with a string': "setTimeout('window.ran = true')",
  eval: "eval('window.ran = true')",
  Function: "new Function('window.ran = true')()",
  'a policy of another name': "trustedTypes.createPolicy('mine', { createScriptURL: (url) => url })",
  'a second policy of the site': "trustedTypes.createPolicy('varispeed', { createScriptURL: (url) => url })",
}
const plantedCode = `
for (const [name, sink] of Object.entries({ ${Object.entries(sinkScripts)
  .map(([name, code]) => `'${name}': () => { ${code.startsWith('navigator') ? `return ${code}` : code} }`)
  .join(', ')} }))
  Promise.resolve().then(sink).then(() => { window.refused[name] = false }, () => { window.refused[name] = true })`

test('planted calls that run or load code are refused and reported, in a page and in its workers', { tag: '@long' }, async ({
  page,
  faults,
}) => {
  faults.expect(/TrustedHTML|TrustedScript|TrustedTypePolicy|Content Security Policy|unsafe-eval/)
  const plantedSite = await startViolationReportingSite()
  try {
    plantedSite.plantScriptCode(
      /^\/assets\/part-.*\.js$/,
      `if (globalThis.window && !window.refused) { window.refused = {}; setTimeout(() => {${plantedCode}}, 1000) }`,
    )
    plantedSite.plantScriptCode(/^\/assets\/decode-worker-.*\.js$/, "setTimeout(() => { try { eval('1') } catch {} }, 0)")
    const credentials = await createSubscriber(plantedSite)
    await signInByRequest(page, plantedSite.origin(), credentials)
    await page.goto(`${plantedSite.origin()}/account/maker`)
    const readRefusedSinks = () => page.evaluate(() => Reflect.get(window, 'refused'))
    await expect.poll(readRefusedSinks).toEqual(Object.fromEntries(Object.keys(sinkScripts).map((name) => [name, true])))
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    await expect.poll(() => plantedSite.violations.join('\n')).toContain('require-trusted-types-for')
    await expect.poll(() => plantedSite.violations.join('\n')).toMatch(/decode-worker/)
  } finally {
    await plantedSite.stop()
  }
})

test('a script of the video platform is refused unless its path is that of a player script', async ({ page, faults, context }) => {
  faults.expect(/Content Security Policy|ERR_BLOCKED_BY_CSP/)
  await context.route('https://www.youtube.com/**', (route) => route.fulfill({ contentType: 'text/javascript', body: 'window.ran = true' }))
  const requestScript = async (url: string) => {
    await page.goto(site.origin())
    return page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const probeResult = Reflect.get(window, 'probe')
          const element = document.createElement('script')
          element.onload = () => resolve('loaded')
          element.onerror = () => resolve('refused')
          element.src = probeResult.createScriptURL(src)
          document.head.append(element)
        }),
      url,
    )
  }
  // The page allows the video platform's Trusted Types policy, but the platform's script has not created the policy yet.
  await page.addInitScript(() => {
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown }
    }
    addEventListener('DOMContentLoaded', () =>
      Reflect.set(window, 'probe', trustedTypes.createPolicy('youtube-widget-api', { createScriptURL: (url) => url })),
    )
  })
  expect(await requestScript('https://www.youtube.com/iframe_api')).toBe('loaded')
  expect(await requestScript('https://www.youtube.com/s/player/1/www-widgetapi.js')).toBe('loaded')
  expect(await requestScript('https://www.youtube.com/oembed?callback=ran')).toBe('refused')
  await expect.poll(() => site.violations.join()).toContain('https://www.youtube.com/oembed')
})
