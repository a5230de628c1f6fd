import { expect, it } from 'vitest'
import { findNetworkPrefix } from './client-id.ts'
import { describeDevice } from './device.ts'

it('devices are named by their browser and operating system', () => {
  const chromeAgent = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  for (const [userAgent, deviceName] of [
    [`Mozilla/5.0 (Linux; Android 10; K) ${chromeAgent} Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chromeAgent} Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chromeAgent} Safari/537.36`, 'Chrome on ChromeOS'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromeAgent} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromeAgent} Safari/537.36 OPR/120.0.0.0`, 'Opera on Windows'],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    ['curl/8.5.0', 'Unknown device'],
    ['<script>alert(1)</script> Firefox/', 'Firefox'],
    [undefined, 'Unknown device'],
  ] as const)
    expect([userAgent, describeDevice(userAgent)]).toEqual([userAgent, deviceName])
})

it('networks are named without the part of the IP address that identifies a machine', () => {
  for (const [ipAddress, networkPrefix] of [
    ['203.0.113.77', '203.0.113.x'],
    ['::ffff:203.0.113.77', '203.0.113.x'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:x'],
    ['2001:db8::5', '2001:db8:0:x'],
    ['::1', '0:0:0:x'],
  ])
    expect([ipAddress, findNetworkPrefix(ipAddress ?? '')]).toEqual([ipAddress, networkPrefix])
})
