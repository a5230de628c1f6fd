import { defineConfig } from '@playwright/test'
import { chromiumFlags, headlessShellPath } from './chromium.ts'

const journeys = [
  'journey',
  'navigation',
  'catalogue',
  'song',
  'own-playlists',
  'follow',
  'members',
  'latest',
  'promotion',
  'subscriber-pages',
]

export default defineConfig<object, { processes: 1 | 2 }>({
  testDir: '.',
  globalSetup: './prepared.ts',
  // Playwright would compile built programs by Babel again.
  build: { external: ['**/dist/**', '**/test-results/prepared/**'] },
  projects: [
    { name: 'site', testMatch: '*.spec.ts', testIgnore: '*.long.spec.ts', grepInvert: /@long/ },
    // The projects of `npm run test:long`. The tests of one long file run one after the other in one worker.
    { name: 'long', testMatch: '*.long.spec.ts', fullyParallel: false },
    { name: 'long-site', testMatch: '*.spec.ts', testIgnore: '*.long.spec.ts', grep: /@long/ },
    // Journeys with two server processes. Each request goes to the other process than the previous one, and reads rows that the other process has
    // stored.
    { name: 'two-processes', testMatch: journeys.map((journey) => `${journey}.spec.ts`), use: { processes: 2 } },
  ],
  outputDir: '../test-results/e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // The time limits are long, so that a busy machine does not fail a test.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // Pages run with reduced motion, because infinite animations take a third of a processor. `journey`, `navigation` and tests with
    // `withBrowserProfile` run with animations.
    contextOptions: { reducedMotion: 'reduce' },
    // Playwright's routes do not intercept requests of a service worker, so service workers are blocked by default. Tests of the service
    // worker allow it in a separate context.
    serviceWorkers: 'block',
    launchOptions: { executablePath: headlessShellPath, args: chromiumFlags },
    // Tracing would take a third of the time. `--trace on` enables it.
    trace: 'off',
    video: 'off',
    screenshot: 'only-on-failure',
  },
})
