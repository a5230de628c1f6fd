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
  display: string
  capture(): Promise<Sharp>
  close(): Promise<void>
}

/** Starts Xvfb. Returns undefined if it is not installed. */
async function openVirtualScreen(): Promise<VirtualScreen | undefined> {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'Xvfb'))
  const program = candidates.find((each) => existsSync(each))
  if (program === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-screen-'))
  const server = spawn(
    program,
    ['-displayfd', '3', '-fbdir', folder, '-nolisten', 'tcp', '-screen', '0', `${windowSize.width}x${windowSize.height}x24`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const displayPipe = server.stdio[3]
  if (!displayPipe) throw new Error('Xvfb has no pipe for the display number')
  const [displayNumber] = await once(displayPipe, 'data')
  return {
    display: `:${String(displayNumber).trim()}`,
    capture: async () => decodeXwd(await readFile(join(folder, 'Xvfb_screen0'))),
    async close() {
      server.kill()
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Decodes an X window dump (XWD): a header of 32-bit words, a colormap with 12 bytes for each entry, then the pixels as BGRX. */
function decodeXwd(dump: Buffer): Sharp {
  const headerWord = (index: number) => dump.readUInt32BE(index * 4)
  const [headerBytes, width, height, rowBytes, colormapEntries] = [
    headerWord(0),
    headerWord(4),
    headerWord(5),
    headerWord(12),
    headerWord(19),
  ]
  const pixelsOffset = headerBytes + colormapEntries * 12
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixelStart = pixelsOffset + y * rowBytes + x * 4
      const targetOffset = (y * width + x) * 3
      pixels[targetOffset] = dump[pixelStart + 2] ?? 0
      pixels[targetOffset + 1] = dump[pixelStart + 1] ?? 0
      pixels[targetOffset + 2] = dump[pixelStart] ?? 0
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

async function waitUntilRendered(app: Page) {
  await app.getByRole('heading', { level: 1 }).first().waitFor()
  await app.waitForLoadState('networkidle')
  await app.waitForTimeout(1_500)
}

/** Installs the site as an app. Takes a screenshot of the app's window, or without Xvfb of its page alone. */
export async function captureInstalledWindow(origin: string, filePath: string): Promise<void> {
  const screen = await openVirtualScreen()
  try {
    await withAppInstaller(
      origin,
      async ({ install }) => {
        const appPage = await install()
        await waitUntilRendered(appPage)
        if (!(await appPage.evaluate(() => matchMedia('(display-mode: standalone)').matches)))
          throw new Error('The app opened in a browser tab')
        if (screen) await (await screen.capture()).png().toFile(filePath)
        else await appPage.screenshot({ path: filePath })
      },
      screen ? { visibleWindow: { display: screen.display, size: windowSize } } : {},
    )
  } finally {
    await screen?.close()
  }
}
