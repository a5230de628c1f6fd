import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, headlessShellPath } from './e2e/chromium.ts'
import { AAC_ENCODER_MODULE, createAacEncoderModule } from './scripts/aac-encoder.ts'
import { LONG_TAG } from './scripts/steps.mjs'
import { bundleWorkers } from './testing/workers.ts'

/** Time limits of tests, so long that only a hanging test exceeds them, also on a busy machine. */
const hangLimits = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 20_000 } } }

export default defineConfig({
  test: {
    // One worker for each processor. By default, Vitest leaves one processor idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    provide: { checksTimings: process.env.TIMINGS === 'on' },
    tags: [{ name: LONG_TAG, description: 'Runs in `npm run test:long` only', timeout: 5 * 60_000 }],
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          // Test files of a worker share their modules, which are then loaded once. A test restores what it changes in them.
          isolate: false,
          include: ['{server,contract,brands,client,dsp,sw,scripts,bench,e2e}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/*.long.test.ts', '**/node_modules/**'],
          setupFiles: ['./testing/console.ts', './testing/wait.ts'],
          globalSetup: ['./testing/kernel.mjs', './testing/postgres.ts'],
          ...hangLimits,
        },
      },
      {
        plugins: [createAacEncoderModule()],
        test: {
          name: 'long',
          environment: 'node',
          server: { deps: { inline: [AAC_ENCODER_MODULE] } },
          include: ['{server,contract,client,dsp,bench,e2e}/**/*.long.test.ts'],
          setupFiles: ['./testing/console.ts', './testing/wait.ts'],
          globalSetup: ['./testing/kernel.mjs', './testing/postgres.ts'],
          testTimeout: 30 * 60_000,
          hookTimeout: 10 * 60_000,
        },
      },
      {
        plugins: [react(), bundleWorkers()],
        publicDir: 'public',
        // All dependencies are listed, because a dependency that Vite finds only during a test would reload the page of that test.
        optimizeDeps: {
          include: [
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'dexie',
            'workbox-core/registerQuotaErrorCallback.js',
            'workbox-expiration/CacheExpiration.js',
            '@tanstack/react-router',
            '@tanstack/react-virtual',
            'audiobuffer-to-wav',
            'mediabunny',
            'fast-check',
            'tone/build/esm/component/analysis/Waveform.js',
            'tone/build/esm/component/channel/Split.js',
            'tone/build/esm/core/context/Context.js',
            'tone/build/esm/core/context/Gain.js',
            'tone/build/esm/core/context/GlobalContext.js',
            'wasm-media-encoders',
          ],
        },
        test: {
          name: 'browser',
          // All test files share one page, which is loaded once. A test restores what it changes in the page and its modules.
          isolate: false,
          include: ['{client,dsp,sw}/**/*.browser.test.{ts,tsx}'],
          setupFiles: ['./testing/console.ts', './testing/wait.ts'],
          globalSetup: ['./testing/kernel.mjs'],
          ...hangLimits,
          browser: {
            enabled: true,
            headless: true,
            // The time limit is so long that only a hanging browser exceeds it.
            connectTimeout: 180_000,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({ launchOptions: { executablePath: headlessShellPath, args: chromiumFlags } }),
          },
        },
      },
    ],
  },
})
