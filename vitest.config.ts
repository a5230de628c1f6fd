import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

export default defineConfig({
  test: {
    // Vitest would leave one processor idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{server,contract,brands,client,dsp,sw,scripts,bench,e2e}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/*.long.test.ts', '**/node_modules/**'],
          setupFiles: ['./vitest.console.ts'],
          globalSetup: ['./vitest.kernel.mjs'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'long',
          environment: 'node',
          include: ['{server,contract,client,dsp,bench,e2e}/**/*.long.test.ts'],
          setupFiles: ['./vitest.console.ts'],
          globalSetup: ['./vitest.kernel.mjs'],
          testTimeout: 30 * 60_000,
          hookTimeout: 10 * 60_000,
        },
      },
      {
        plugins: [react()],
        publicDir: 'public',
        // Found while a test runs, these would make Vite reload the page under it.
        optimizeDeps: {
          include: [
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'dexie',
            'dexie-react-hooks',
            '@tanstack/react-router',
            '@tanstack/react-virtual',
            'audiobuffer-to-wav',
            'mediabunny',
            'music-tempo',
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
          include: ['{client,dsp,sw}/**/*.browser.test.{ts,tsx}'],
          setupFiles: ['./vitest.console.ts'],
          globalSetup: ['./vitest.kernel.mjs'],
          testTimeout: 20_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: {
                executablePath,
                args: [
                  '--no-sandbox',
                  '--disable-gpu',
                  '--disable-quic',
                  '--no-first-run',
                  '--disable-background-networking',
                  '--disable-component-update',
                  '--disable-sync',
                  '--autoplay-policy=no-user-gesture-required',
                ],
              },
            }),
          },
        },
      },
    ],
  },
})
