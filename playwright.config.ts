import { defineConfig } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './e2e/chromium.ts'

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'site', testMatch: '*.spec.ts', testIgnore: '*.long.spec.ts', grepInvert: /@long/ },
    // For `npm run test:long`: a file's tests follow each other, in one worker; and what takes too long of the files above.
    { name: 'long', testMatch: '*.long.spec.ts', fullyParallel: false },
    { name: 'long-site', testMatch: '*.spec.ts', testIgnore: '*.long.spec.ts', grep: /@long/ },
  ],
  outputDir: 'test-results/e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // Only what fails waits so long: a busy machine is no failure.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // What a worker asks for passes by the routes of a test: those that are about it open a browser of their own.
    serviceWorkers: 'block',
    launchOptions: { executablePath: chromiumPath, args: chromiumFlags },
    // Recorded only when asked for (`--trace on`): it takes a third of the time.
    trace: 'off',
    video: 'off',
    screenshot: 'only-on-failure',
  },
})
