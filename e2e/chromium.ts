import { existsSync } from 'node:fs'

/** The path of Chromium: Debian's, unless the environment variable `CHROMIUM` sets another path. */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const debianShellPath = '/usr/bin/chromium-headless-shell'

/**
 * The path of Debian's headless shell of Chromium. It has the same engine without the browser's window, and takes a third less processor
 * time, but reads no preferences and cannot install apps. If the shell is missing or `CHROMIUM` is set, this is the path of Chromium.
 */
export const headlessShellPath = process.env.CHROMIUM === undefined && existsSync(debianShellPath) ? debianShellPath : chromiumPath

export const chromiumFlags = [
  // With these flags requests to other hosts fail immediately, so a test can detect them without a Playwright route, which makes every request
  // slower.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]
