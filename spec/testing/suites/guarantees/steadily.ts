/** Asks again after a broken connection, for ten seconds. */
export async function steadily<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const broken = typeof error === 'object' && error !== null && 'code' in error;
      if (attempt === 100 || !broken) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
