# Assay from this checkout, over the jobs in /jobs, with its own data in /data or in the database of DATABASE_URL.
# Not tried where it was written: there was no container runtime. Linted only.
FROM node:24-slim AS build
WORKDIR /assay
COPY . .
RUN npm run package && mv dist/assay-*.tgz /assay.tgz

FROM node:24-slim
RUN --mount=from=build,source=/assay.tgz,target=/assay.tgz \
  npm install --global --ignore-scripts --no-audit --no-fund /assay.tgz \
  && mkdir /data && chown 1000:1000 /data
USER 1000
ENV ASSAY_DATA=/data
VOLUME /data
EXPOSE 4680
ENTRYPOINT ["assay"]
# Starts once there is an admin: run it with "accounts add NAME --role admin" first, on the same /data or DATABASE_URL.
CMD ["view", "--host", "0.0.0.0", "/jobs"]
