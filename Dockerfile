# The command line and the web app in a container. This file could not be built where the project is
# developed (no container registry is reachable there): please report what does not work.
#
#   docker build -t stratagem .
#   docker run --rm -p 8000:8000 stratagem serve --host 0.0.0.0 -p 8000
FROM python:3.12-slim
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY experiments/leaderboard experiments/leaderboard
COPY docs/games docs/games
COPY results/ladder results/ladder
# The index of CPU builds keeps the image free of several gigabytes of CUDA.
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu .
VOLUME /app/runs
ENTRYPOINT ["stratagem"]
CMD ["--help"]
