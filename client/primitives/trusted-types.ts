/**
 * The members of the Trusted Types API that TypeScript's DOM types lack. Where a DOM type requires a string, the browser also accepts a
 * trusted URL.
 */
interface ScriptUrlPolicy {
  createScriptURL(url: string): string
}

declare global {
  /** The Trusted Types policy; undefined in browsers without Trusted Types. */
  var trustedTypes: { createPolicy(name: string, policy: ScriptUrlPolicy): ScriptUrlPolicy } | undefined
}

/** The scripts that the page may start, by their URLs. Under Vitest, workers are served from their source files. */
const ALLOWED_SCRIPT_URLS = import.meta.env.DEV
  ? /^(\/sw\.js$|\/client\/engine\/workers\/|https:\/\/www\.youtube\.com\/iframe_api$)/
  : /^(\/(sw|assets\/[\w-]+)\.js|https:\/\/www\.youtube\.com\/iframe_api)$/

/** The only policy of the page's own code (docs/decisions/014-trusted-types.md). */
const scriptUrlPolicy = globalThis.trustedTypes?.createPolicy('varispeed', {
  createScriptURL(url) {
    if (ALLOWED_SCRIPT_URLS.test(url)) return url
    throw new TypeError(url)
  },
})

/**
 * Returns the URL of one of the page's scripts as a trusted type, which `Worker`, `register` and `script.src` require.
 * @throws TypeError if the site has no such script
 */
export const toTrustedScriptUrl = (url: string): string => scriptUrlPolicy?.createScriptURL(url) ?? url
