import { defineStandaloneCommand } from '../admin/command.ts'
import { createVapidPrivateKey } from './web-push.ts'

/** Creates a key for pushes and prints it without storing it, so that the admin decides where the key is stored. */
export const pushKeyCommand = defineStandaloneCommand({
  words: 'push key',
  summary: 'Makes a new VAPID_PRIVATE_KEY, with which the site sends notifications of new songs.',
  run: async () => {
    const key = createVapidPrivateKey()
    return { text: `VAPID_PRIVATE_KEY=${key}`, data: { VAPID_PRIVATE_KEY: key } }
  },
})
