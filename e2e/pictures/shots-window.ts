import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { withAppInstaller } from '../installed-app.ts'

const windowSize = { width: 1120, height: 800 }

/** A virtual X11 display, of which a screenshot of a browser window can be taken. */
interface VirtualScreen {
  displayName: string
  capture(): Promise<Sharp>
  close(): Promise<void>
}

/** Starts Xvfb. Returns undefined if it is not installed. */
async function openVirtualScreen(): Promise<VirtualScreen | undefined> {
  const candidatePaths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'Xvfb'))
  const programPath = candidatePaths.find((each) => existsSync(each))
  if (programPath === undefined) return undefined
  const screenFolder = await mkdtemp(join(tmpdir(), 'varispeed-screen-'))
  const xvfbProcess = spawn(
    programPath,
    ['-displayfd', '3', '-fbdir', screenFolder, '-nolisten', 'tcp', '-screen', '0', `${windowSize.width}x${windowSize.height}x24`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const displayPipe = xvfbProcess.stdio[3]
  if (!displayPipe) throw new Error('Xvfb has no pipe for the display number')
  const [displayNumber] = await once(displayPipe, 'data')
  return {
    displayName: `:${String(displayNumber).trim()}`,
    capture: async () => decodeXwd(await readFile(join(screenFolder, 'Xvfb_screen0'))),
    async close() {
      xvfbProcess.kill()
      await once(xvfbProcess, 'exit')
      await rm(screenFolder, { recursive: true, force: true })
    },
  }
}

/** Decodes an X window dump (XWD): a header of 32-bit words, a colormap with 12 bytes for each entry, then the pixels as BGRX. */
function decodeXwd(dumpBytes: Buffer): Sharp {
  const readHeaderWord = (index: number) => dumpBytes.readUInt32BE(index * 4)
  const [headerBytes, width, height, rowBytes, colormapEntries] = [
    readHeaderWord(0),
    readHeaderWord(4),
    readHeaderWord(5),
    readHeaderWord(12),
    readHeaderWord(19),
  ]
  const pixelsOffset = headerBytes + colormapEntries * 12
  const pixelBytes = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixelStart = pixelsOffset + y * rowBytes + x * 4
      const targetOffset = (y * width + x) * 3
      pixelBytes[targetOffset] = dumpBytes[pixelStart + 2] ?? 0
      pixelBytes[targetOffset + 1] = dumpBytes[pixelStart + 1] ?? 0
      pixelBytes[targetOffset + 2] = dumpBytes[pixelStart] ?? 0
    }
  return sharp(pixelBytes, { raw: { width, height, channels: 3 } })
}

async function waitUntilRendered(app: Page) {
  await app.getByRole('heading', { level: 1 }).first().waitFor()
  await app.waitForLoadState('networkidle')
  await app.waitForTimeout(1_500)
}

/** Installs the site as an app. Takes a screenshot of the app's window, or without Xvfb of its page alone. */
export async function captureInstalledWindow(siteOrigin: string, filePath: string): Promise<void> {
  const virtualScreen = await openVirtualScreen()
  try {
    await withAppInstaller(
      siteOrigin,
      async ({ install }) => {
        const appPage = await install()
        await waitUntilRendered(appPage)
        if (!(await appPage.evaluate(() => matchMedia('(display-mode: standalone)').matches)))
          throw new Error('The app opened in a browser tab')
        if (virtualScreen) await (await virtualScreen.capture()).png().toFile(filePath)
        else await appPage.screenshot({ path: filePath })
      },
      virtualScreen ? { visibleWindow: { displayName: virtualScreen.displayName, size: windowSize } } : {},
    )
  } finally {
    await virtualScreen?.close()
  }
}
